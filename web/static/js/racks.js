// The end of a game: the tiles left in each hand, chosen one by one, and counted.
import { post, useSession } from './actions.js';
import { notice, sure } from './chrome.js';
import { $, $$, fill, h, pageData, say } from './dom.js';
import { pickTiles } from './picker.js';
import { drawTile, parseTile, tileName } from './tiles.js';

const counting = pageData('counting');
const racks = {};
const doubts = {};

function points(tiles) {
  return tiles.reduce((sum, tile) => sum + (parseTile(tile).number || counting.joker_points), 0);
}

function draw(section) {
  const name = section.getAttribute('data-player');
  const tiles = racks[name];
  fill($('.row', section),
    tiles.map((tile, place) => h('button', { type: 'button', class: 'on-tile', 'aria-label': say('remove') + ': ' + tileName(tile), onclick: () => { tiles.splice(place, 1); doubts[name] = doubts[name].filter((answers) => tiles.indexOf(answers[0]) >= 0); draw(section); } }, drawTile(tile))),
    h('button', { type: 'button', class: 'on-row', 'aria-label': say('add tile') + ': ' + name, onclick: () => pickTiles(name, (tile) => { tiles.push(tile); draw(section); }, () => { tiles.pop(); draw(section); }) }, '+'));
  if (counting.camera) $('.row', section).appendChild(h('button', { type: 'button', class: 'on-row', onclick: () => fromPicture(section) }, say('from the picture')));
  $('.total', section).textContent = say('counted', { count: tiles.length, points: points(tiles) });
  fill($('.doubts', section), doubts[name].map((answers) => question(section, answers)));
}

// "Which tile is it?", the likeliest first; the one that was counted gives way to the one that is tapped.
function question(section, answers) {
  const name = section.getAttribute('data-player');
  const choose = (tile) => {
    racks[name].splice(racks[name].indexOf(answers[0]), 1, tile);
    doubts[name] = doubts[name].filter((other) => other !== answers);
    draw(section);
  };
  return h('p', { class: 'beside' }, say('which tile'), answers.map((tile) => h('button', { type: 'button', class: 'on-tile', 'aria-label': tileName(tile), onclick: () => choose(tile) }, drawTile(tile))));
}

// What lies open on the table and is in nobody else's rack is this player's.
function fromPicture(section) {
  const name = section.getAttribute('data-player');
  fetch('/api/racks', { credentials: 'same-origin' }).then((answer) => answer.json()).then((seen) => {
    const others = [].concat(...Object.keys(racks).filter((other) => other !== name).map((other) => racks[other]));
    racks[name] = seen.tiles.filter((tile) => { const place = others.indexOf(tile); if (place >= 0) others.splice(place, 1); return place < 0; });
    doubts[name] = seen.doubtful.filter((answers) => racks[name].indexOf(answers[0]) >= 0);
    if (seen.unread) notice(say('some unread'), 'bad');
    else if (!racks[name].length) notice(say('no rack seen'), 'bad');
    draw(section);
  }).catch(() => notice(say('no connection'), 'bad'));
}

function count(anyway) {
  const given = {};
  Object.keys(racks).forEach((name) => { given[name] = racks[name].join(' ') || '-'; });
  post('/api/racks', { version: counting.version, racks: given, anyway })
    .then(() => { window.location.href = '/'; })
    .catch((error) => {
      if (error.state) counting.version = error.state.version;
      if (error.code === 'racks' && !anyway && sure(error.message + '\n' + say('count anyway'))) count(true);
      else notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
    });
}

useSession(pageData('session'));
$$('.rack').forEach((section) => { racks[section.getAttribute('data-player')] = []; doubts[section.getAttribute('data-player')] = []; draw(section); });
if ($('#count')) $('#count').addEventListener('click', () => count(false));
