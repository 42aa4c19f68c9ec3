// One tap chooses a tile: a grid of 4 colours by 13 numbers, the joker, and what else the page offers.
import { $, fill, h, say } from './dom.js';
import { drawTile, tileName } from './tiles.js';

const COLOURS = ['K', 'R', 'B', 'O'];
let opener = null;

function close() {
  fill($('#picker'));
  document.body.classList.remove('picking');
  if (opener && opener.focus && document.contains(opener)) opener.focus();
}

function cell(tile, choose) {
  return h('button', { type: 'button', class: 'cell', 'aria-label': tileName(tile), onclick: () => choose(tile) }, drawTile(tile));
}

function open(title, choose, head, others) {
  opener = document.activeElement;
  const rows = COLOURS.map((colour) => h('div', { class: 'line', role: 'group' }, Array.from({ length: 13 }, (unused, number) => cell(colour + (number + 1), choose))));
  fill($('#picker'), h('div', { class: 'sheet', role: 'dialog', 'aria-modal': 'true', 'aria-label': title },
    h('h2', {}, title), head,
    h('div', { class: 'grid' }, rows),
    h('div', { class: 'others' }, cell('J', choose), others)));
  document.body.classList.add('picking');
  $('#picker .cell').focus();
}

function closer(text, className) {
  return h('button', { type: 'button', class: className, onclick: close }, text);
}

// `others`: [label, action] pairs shown under the grid.
export function pickTile(title, choose, others) {
  const buttons = (others || []).map((other) => h('button', { type: 'button', onclick: () => { close(); other[1](); } }, other[0]));
  open(title, (tile) => { close(); choose(tile); }, null, [buttons, closer('✕ ' + say('close'), 'quiet')]);
}

// Chooses tile after tile until it is closed; `add` takes each, `drop` takes the last one back.
export function pickTiles(title, add, drop) {
  const chosen = [];
  const strip = h('div', { class: 'strip', role: 'status' });
  const paint = () => fill(strip, chosen.length ? chosen.map((tile) => drawTile(tile)) : h('span', { class: 'muted' }, say('tap in order')));
  paint();
  open(title, (tile) => { chosen.push(tile); add(tile); paint(); }, strip, [
    h('button', { type: 'button', onclick: () => { if (chosen.length) { chosen.pop(); drop(); paint(); } } }, '⌫ ' + say('take the last back')),
    closer('✓ ' + say('ready'), 'go')]);
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
