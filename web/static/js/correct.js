// Correcting the table: a tile is tapped and another one chosen; melds are cut and joined; then it is judged again.
// Every tile is a thing of its own ({ tile, place }), so that an outline in the photograph finds it wherever it went.
import { post, useSession } from './actions.js';
import { notice } from './chrome.js';
import { $, fill, h, pageData, say } from './dom.js';
import { outlines } from './photograph.js';
import { pickTile, pickTiles } from './picker.js';
import { drawTile, freshPlaces, tileName } from './tiles.js';

const edit = pageData('edit');
let rows = asRead();

function asRead() {
  return edit.rows.map((row, r) => row.map((tile, place) => ({ tile, place: r + ' ' + place })));
}

function settle() {
  rows = rows.filter((row) => row.length > 0);
  draw();
}

function change(r, place) {
  pickTile(say('which tile'), (tile) => { rows[r][place].tile = tile; settle(); }, [
    [say('no tile here'), () => { rows[r].splice(place, 1); settle(); }],
    [say('a tile is missing before'), () => insert(r, place)],
    [say('a tile is missing after'), () => insert(r, place + 1)],
  ]);
}

function insert(r, place) {
  let at = place;
  const row = rows[r];
  pickTiles(say('which tiles'), (tile) => { row.splice(at, 0, { tile }); at += 1; draw(); }, () => { at -= 1; row.splice(at, 1); draw(); });
}

function newMeld() {
  const row = [];
  rows.push(row);
  pickTiles(say('which tiles'), (tile) => { row.push({ tile }); draw(); }, () => { row.pop(); draw(); });
}

function cut(r, place) {
  rows.splice(r, 1, rows[r].slice(0, place), rows[r].slice(place));
  settle();
}

function join(r) {
  rows.splice(r, 2, rows[r].concat(rows[r + 1]));
  settle();
}

function tileButton(one, r, place, fresh) {
  return [
    place > 0 ? h('button', { type: 'button', class: 'cut', 'aria-label': say('cut'), title: say('cut'), onclick: () => cut(r, place) }, '⋮') : null,
    h('button', { type: 'button', class: 'on-tile', 'aria-label': tileName(one.tile), onclick: () => change(r, place) }, drawTile(one.tile, [fresh ? 'fresh' : '', one.tile === '?' ? 'doubt' : ''])),
  ];
}

function rowLine(row, r, fresh) {
  return h('div', { class: 'row' },
    row.map((one, place) => tileButton(one, r, place, fresh[r][place])),
    h('button', { type: 'button', class: 'on-row', 'aria-label': say('add tile'), title: say('add tile'), onclick: () => insert(r, row.length) }, '+'),
    r < rows.length - 1 ? h('button', { type: 'button', class: 'on-row', 'aria-label': say('join'), title: say('join'), onclick: () => join(r) }, say('join short') + ' ↓') : null);
}

function texts() {
  return rows.map((row) => row.map((one) => one.tile));
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
  const before = count(edit.before === '-' ? [] : edit.before.split(/[\s/]+/));
  return [].concat(...texts()).filter((tile) => { if (before[tile]) { before[tile] -= 1; return false; } return true; });
}

function summary() {
  const tiles = [].concat(...texts());
  const many = tooMany(tiles);
  if (tiles.indexOf('?') >= 0) return say('still unread');
  return many.length ? say('too many of', { tiles: many.map(tileName).join(', ') }) : say('tiles played', { count: played().length });
}

function draw() {
  const fresh = freshPlaces(texts(), played(), edit.before);
  fill($('#rows'), rows.length ? rows.map((row, r) => rowLine(row, r, fresh)) : h('p', { class: 'muted' }, say('empty table')));
  $('#sum').textContent = summary();
}

// --- the photograph ---

function find(key) {
  for (let r = 0; r < rows.length; r += 1) {
    const place = rows[r].findIndex((one) => one.place === key);
    if (place >= 0) return { r, place };
  }
  return null;
}

function outlined() {
  const key = (seen) => seen.row + ' ' + seen.place;
  const draft = outlines(edit.places, (seen) => tileName(edit.rows[seen.row][seen.place]), (seen) => {
    const at = find(key(seen));
    if (at) change(at.r, at.place);
  }, (seen, after) => {
    const at = seen && find(key(seen));
    if (at) insert(at.r, at.place + (after ? 1 : 0)); else newMeld();
  });
  $('#photograph').appendChild(draft);
}

function save() {
  if (texts().some((row) => row.indexOf('?') >= 0)) { notice(say('still unread'), 'bad'); return; }
  const table = texts().filter((row) => row.length).map((row) => row.join(' ')).join(' / ') || '-';
  const body = { version: edit.version, table };
  post(edit.by_hand ? '/api/done' : '/api/correct', edit.by_hand ? body : Object.assign(body, { turn: edit.turn }))
    .then(() => { window.location.href = '/'; })
    .catch((error) => {
      if (error.state) edit.version = error.state.version;
      notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
    });
}

useSession(pageData('session'));
$('#new-meld').addEventListener('click', newMeld);
$('#reset').addEventListener('click', () => { rows = asRead(); draw(); });
$('#save').addEventListener('click', save);
if ($('#photograph') && edit.places.length) outlined();
draw();
