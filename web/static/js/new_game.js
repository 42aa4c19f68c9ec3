// Starting a game: names in seating order, rules, and off. Names are remembered on this tablet.
import { post, useSession } from './actions.js';
import { notice, sure } from './chrome.js';
import { $, $$, fill, h, pageData, say, show } from './dom.js';
import { drawTile, tileName } from './tiles.js';

const MOST = 6;
const setup = pageData('setup');
let names = setup.names.length ? setup.names : remembered();

function remembered() {
  try { return JSON.parse(localStorage.getItem('names')) || ['', '']; } catch (error) { return ['', '']; }
}

function remember() {
  try { localStorage.setItem('names', JSON.stringify(names)); } catch (error) { /* a browser that keeps nothing forgets them */ }
}

function move(place, by) {
  const other = place + by;
  if (other < 0 || other >= names.length) return;
  [names[place], names[other]] = [names[other], names[place]];
  draw();
  $$('#names input')[other].focus();
}

function row(name, place) {
  return h('li', { 'data-seat': place },
    h('span', { class: 'chip', 'aria-hidden': 'true' }, place + 1),
    h('input', { type: 'text', value: name, maxlength: 500, autocomplete: 'off', dir: 'auto', 'aria-label': say('player name', { number: place + 1 }), placeholder: say('player name', { number: place + 1 }), oninput: (event) => { names[place] = event.target.value; check(); } }),
    h('button', { type: 'button', disabled: place === 0, 'aria-label': say('up'), onclick: () => move(place, -1) }, '↑'),
    h('button', { type: 'button', disabled: place === names.length - 1, 'aria-label': say('down'), onclick: () => move(place, 1) }, '↓'),
    h('button', { type: 'button', disabled: names.length <= 2, 'aria-label': say('remove'), onclick: () => { names.splice(place, 1); draw(); } }, '✕'));
}

function written() {
  return names.map((name) => name.trim()).filter((name) => name);
}

function warning() {
  const given = written();
  if (new Set(given).size < given.length) return say('same name');
  if (given.length >= 5 && $('#set').value !== 'big') return say('five players');
  return '';
}

function check() {
  const text = warning();
  $('#warning').textContent = text;
  show($('#warning'), text !== '');
  const chosen = $('#starter').value;
  fill($('#starter'), names.map((name, place) => h('option', { value: place }, name.trim() || say('player name', { number: place + 1 }))));
  if (chosen && Number(chosen) < names.length) $('#starter').value = chosen;
}

function draw() {
  fill($('#names'), names.map(row));
  show($('#add-player'), names.length < MOST);
  check();
}

// Each has drawn a tile and laid it on the table: the highest is named, and a tap says whose it is.
function lookAtDrawn() {
  fetch('/api/drawn?rules=' + encodeURIComponent($('[name=rules]:checked').value), { credentials: 'same-origin' }).then((answer) => answer.json()).then((seen) => {
    show($('#drawn'), true);
    fill($('#drawn'),
      h('p', { class: 'beside' }, seen.tiles.map((tile) => drawTile(tile))),
      seen.doubtful.map((answers) => h('p', { class: 'warning' }, say('may be', { tiles: answers.map(tileName).join(' / ') }))),
      told(seen));
    $('#drawn').lastElementChild.scrollIntoView({ block: 'center' });
  }).catch(() => notice(say('no connection'), 'bad'));
}

function told(seen) {
  if (seen.unread) return h('p', {}, say('some unread'));
  if (!seen.tiles.length) return h('p', {}, say('nothing drawn'));
  if (seen.again.length) return h('p', {}, say('draw again', { tiles: seen.again.map(tileName).join(', ') }));
  const whose = (name, place) => h('button', { type: 'button', onclick: () => starts(place) }, name.trim() || say('player name', { number: place + 1 }));
  return [h('p', {}, say('highest drawn', { tile: tileName(seen.highest) })), h('p', { class: 'choices beside' }, names.map(whose))];
}

function starts(place) {
  $('#starter').value = place;
  fill($('#drawn'), h('p', {}, say('starts', { name: $('#starter').selectedOptions[0].textContent })));
}

function options() {
  const chosen = {};
  $$('[data-option]').forEach((field) => { if (field.value) chosen[field.getAttribute('data-option')] = field.value === 'none' ? null : Number(field.value); });
  if ($('#set').value === 'big') Object.assign(chosen, { copies: 3, jokers: 4 });
  const end = $('#games').value.split(' ');
  if (end.length === 2) chosen[end[0]] = Number(end[1]);
  return chosen;
}

function begin(event) {
  event.preventDefault();
  const players = written();
  if (players.length < 2) { notice(say('two players'), 'bad'); return; }
  if (setup.underway && !sure(say('replace game'))) return;
  const starter = Math.max(0, players.indexOf(names[Number($('#starter').value)].trim()));
  remember();
  post('/api/game', { version: setup.version, players, rules: $('[name=rules]:checked').value, options: options(), starter, new_match: $('#new-match').checked })
    .then(() => { window.location.href = '/'; })
    .catch((error) => {
      if (error.state) { setup.version = error.state.version; setup.underway = error.state.phase !== 'setup' && error.state.phase !== 'ended'; }
      notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
    });
}

useSession(pageData('session'));
$('#add-player').addEventListener('click', () => { names.push(''); draw(); $$('#names input')[names.length - 1].focus(); });
if ($('#see-drawn')) $('#see-drawn').addEventListener('click', lookAtDrawn);
$('#game-form').addEventListener('submit', begin);
$('#set').addEventListener('change', check);
while (names.length < 2) names.push('');
draw();
