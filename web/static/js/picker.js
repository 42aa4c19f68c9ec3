// One tap chooses a tile: a grid of 4 colours by 13 numbers, the joker, and what else the page offers.
import { $, fill, h, say } from './dom.js';
import { drawTile, tileName } from './tiles.js';

const COLOURS = ['K', 'R', 'B', 'O'];
let opener = null;

function close() {
  fill($('#picker'));
  document.body.classList.remove('picking');
  if (opener && opener.focus) opener.focus();
}

function cell(tile, choose) {
  return h('button', { type: 'button', class: 'cell', 'aria-label': tileName(tile), onclick: () => { close(); choose(tile); } }, drawTile(tile));
}

// `others`: [label, action] pairs shown under the grid.
export function pickTile(title, choose, others) {
  opener = document.activeElement;
  const rows = COLOURS.map((colour) => h('div', { class: 'line', role: 'group' }, Array.from({ length: 13 }, (unused, number) => cell(colour + (number + 1), choose))));
  fill($('#picker'), h('div', { class: 'sheet', role: 'dialog', 'aria-modal': 'true', 'aria-label': title },
    h('h2', {}, title),
    h('div', { class: 'grid' }, rows),
    h('div', { class: 'others' },
      cell('J', choose),
      (others || []).map((other) => h('button', { type: 'button', onclick: () => { close(); other[1](); } }, other[0])),
      h('button', { type: 'button', class: 'quiet', onclick: close }, '✕ ' + say('close')))));
  document.body.classList.add('picking');
  $('#picker button').focus();
}

document.addEventListener('keydown', (event) => {
  const sheet = $('#picker .sheet');
  if (!sheet) return;
  if (event.key === 'Escape') { close(); return; }
  if (event.key !== 'Tab') return;
  const buttons = sheet.querySelectorAll('button');
  const edge = event.shiftKey ? buttons[0] : buttons[buttons.length - 1];
  if (document.activeElement === edge) { event.preventDefault(); (event.shiftKey ? buttons[buttons.length - 1] : buttons[0]).focus(); }
});
