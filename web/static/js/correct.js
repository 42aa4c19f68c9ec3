// Correcting the table: a tile is tapped and another one chosen; melds are cut and joined; then it is judged again.
import { post, useSession } from './actions.js';
import { notice } from './chrome.js';
import { $, fill, h, pageData, say } from './dom.js';
import { pickTile } from './picker.js';
import { drawTile, freshPlaces, rowsOf, tileName } from './tiles.js';

const edit = pageData('edit');
let rows = rowsOf(edit.table);

function settle() {
  rows = rows.filter((row) => row.length > 0);
  draw();
}

function change(r, place) {
  pickTile(say('which tile'), (tile) => { rows[r][place] = tile; settle(); }, [
    [say('no tile here'), () => { rows[r].splice(place, 1); settle(); }],
    [say('a tile is missing before'), () => insert(r, place)],
    [say('a tile is missing after'), () => insert(r, place + 1)],
  ]);
}

function insert(r, place) {
  pickTile(say('which tile'), (tile) => { rows[r].splice(place, 0, tile); settle(); });
}

function cut(r, place) {
  rows.splice(r, 1, rows[r].slice(0, place), rows[r].slice(place));
  settle();
}

function join(r) {
  rows.splice(r, 2, rows[r].concat(rows[r + 1]));
  settle();
}

function tileButton(tile, r, place, fresh) {
  return [
    place > 0 ? h('button', { type: 'button', class: 'cut', 'aria-label': say('cut'), title: say('cut'), onclick: () => cut(r, place) }, '⋮') : null,
    h('button', { type: 'button', class: 'on-tile', 'aria-label': tileName(tile), onclick: () => change(r, place) }, drawTile(tile, [fresh ? 'fresh' : '', tile === '?' ? 'doubt' : ''])),
  ];
}

function rowLine(row, r, fresh) {
  return h('div', { class: 'row' },
    row.map((tile, place) => tileButton(tile, r, place, fresh[r][place])),
    h('button', { type: 'button', class: 'on-row', 'aria-label': say('add tile'), title: say('add tile'), onclick: () => insert(r, row.length) }, '+'),
    r < rows.length - 1 ? h('button', { type: 'button', class: 'on-row', 'aria-label': say('join'), title: say('join'), onclick: () => join(r) }, say('join short') + ' ↓') : null);
}

function count(tiles) {
  const counted = {};
  tiles.forEach((tile) => { counted[tile] = (counted[tile] || 0) + 1; });
  return counted;
}

function tooMany(tiles) {
  const counted = count(tiles);
  return Object.keys(counted).filter((tile) => tile !== '?' && counted[tile] > (tile === 'J' ? edit.jokers : edit.copies));
}

function played() {
  const before = count([].concat(...rowsOf(edit.before)));
  return [].concat(...rows).filter((tile) => { if (before[tile]) { before[tile] -= 1; return false; } return true; });
}

function draw() {
  const fresh = freshPlaces(rows, played(), edit.before);
  fill($('#rows'), rows.length ? rows.map((row, r) => rowLine(row, r, fresh)) : h('p', { class: 'muted' }, say('empty table')));
  const many = tooMany([].concat(...rows));
  $('#sum').textContent = many.length ? say('too many of', { tiles: many.map(tileName).join(', ') }) : say('tiles played', { count: played().length });
}

function save() {
  const table = rows.map((row) => row.join(' ')).join(' / ') || '-';
  post('/api/correct', { version: edit.version, turn: edit.turn, table })
    .then(() => { window.location.href = '/'; })
    .catch((error) => {
      if (error.state) edit.version = error.state.version;
      notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
    });
}

useSession(pageData('session'));
$('#new-meld').addEventListener('click', () => pickTile(say('which tile'), (tile) => { rows.push([tile]); settle(); }));
$('#reset').addEventListener('click', () => { rows = rowsOf(edit.table); draw(); });
$('#save').addEventListener('click', save);
draw();
