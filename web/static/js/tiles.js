// Tiles drawn as SVG: a number in its ink, and below it a shape that tells the colour to those who do not see it.
import { h, say, svg } from './dom.js';

const WIDTH = 60;
const HEIGHT = 84;
const COLOURS = { K: 'black', R: 'red', B: 'blue', O: 'orange' };

// Black a square, red a heart, blue a disc, orange a diamond; centred on 0,0 and about 18 wide.
const SHAPES = {
  K: 'M-7.5-7.5h15v15h-15z',
  R: 'M0 8.5C-12.5-.5-9-9-4.2-9-1.8-9-.5-7.4 0-6 .5-7.4 1.8-9 4.2-9 9-9 12.5-.5 0 8.5z',
  B: 'M0-8.6a8.6 8.6 0 1 0 0 17.2a8.6 8.6 0 1 0 0-17.2z',
  O: 'M0-10.5L8.8 0L0 10.5L-8.8 0z',
};

export function parseTile(text) {
  const match = /^([KRBO])(\d{1,2})$/.exec(text);
  return match ? { colour: match[1], number: Number(match[2]) } : { colour: text === 'J' ? 'J' : '?', number: 0 };
}

// "red 7", "joker", in the page's language.
export function tileName(text) {
  const tile = parseTile(text);
  if (tile.colour === 'J') return say('joker');
  if (tile.colour === '?') return text === 'back' ? say('face down') : say('unreadable tile');
  return say('tile', { colour: say(COLOURS[tile.colour]), number: tile.number });
}

function face(text, tile) {
  if (tile.colour === 'J') {
    return svg('g', { class: 'joker' },
      svg('path', { class: 'cap', d: 'M14 40C9 29 9 22 12 16c6 2 9 6 11 11 1-7 3-12 7-16 4 4 6 9 7 16 2-5 5-9 11-11 3 6 3 13-2 24z' }),
      svg('circle', { class: 'bell', cx: 12, cy: 15, r: 3.4 }),
      svg('circle', { class: 'bell', cx: 30, cy: 10.6, r: 3.4 }),
      svg('circle', { class: 'bell', cx: 48, cy: 15, r: 3.4 }),
      svg('path', { class: 'skin', d: 'M14 43h32c1 16-6 27-16 27S13 59 14 43z' }),
      svg('circle', { class: 'eye', cx: 24, cy: 51, r: 2.3 }),
      svg('circle', { class: 'eye', cx: 36, cy: 51, r: 2.3 }),
      svg('path', { class: 'smile', d: 'M22 58c4 6 12 6 16 0' }));
  }
  if (tile.colour === '?') {
    return svg('text', { class: 'number unread', x: 30, y: 54, 'text-anchor': 'middle' }, text === 'back' ? '' : '?');
  }
  return svg('g', { class: 'ink-' + tile.colour },
    svg('text', { class: 'number', x: 30, y: 43, 'text-anchor': 'middle' }, String(tile.number)),
    svg('circle', { class: 'dish', cx: 30, cy: 64, r: 9.5 }),
    svg('path', { class: 'shape', d: SHAPES[tile.colour], transform: 'translate(30 64) scale(.86)' }));
}

// One tile; marks: 'fresh' (of this turn), 'fault', 'doubt', 'gone'.
export function drawTile(text, marks) {
  const tile = parseTile(text);
  const drawn = svg('svg', {
    class: ['tile'].concat(marks || []).join(' '),
    viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT,
    role: 'img',
    'aria-label': tileName(text),
    'data-tile': text,
  },
  svg('rect', { class: 'side', x: 1, y: 3.5, width: 58, height: 80, rx: 8 }),
  svg('rect', { class: text === 'back' ? 'back' : 'front', x: 1, y: 0.5, width: 58, height: 79, rx: 8 }),
  face(text, tile));
  if (marks && marks.indexOf('fresh') >= 0) drawn.appendChild(svg('rect', { class: 'ring', x: 3, y: 2.5, width: 54, height: 75, rx: 6.5 }));
  if (marks && marks.indexOf('fault') >= 0) drawn.appendChild(svg('rect', { class: 'ring', x: 3, y: 2.5, width: 54, height: 75, rx: 6.5 }));
  return drawn;
}

export function rowsOf(table) {
  return !table || table === '-' ? [] : table.split('/').map((row) => row.trim().split(/\s+/));
}

export function drawMeld(tiles, marksOf, className) {
  return h('div', { class: 'meld' + (className ? ' ' + className : ''), role: 'group', 'aria-label': tiles.map(tileName).join(', ') },
    tiles.map((tile, place) => drawTile(tile, marksOf ? marksOf(tile, place) : [])));
}

// Which tiles of the rows came with this turn: of equal tiles those in changed rows are the new ones.
export function freshPlaces(rows, played, before) {
  const left = {};
  (played || []).forEach((tile) => { left[tile] = (left[tile] || 0) + 1; });
  const known = {};
  rowsOf(before).forEach((row) => { const key = row.join(' '); known[key] = (known[key] || 0) + 1; });
  const fresh = rows.map((row) => row.map(() => false));
  const changed = rows.map((row) => { const key = row.join(' '); if (known[key]) { known[key] -= 1; return false; } return true; });
  [true, false].forEach((wanted) => rows.forEach((row, r) => row.forEach((tile, place) => {
    if (changed[r] === wanted && left[tile]) { left[tile] -= 1; fresh[r][place] = true; }
  })));
  return fresh;
}
