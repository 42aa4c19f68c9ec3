// "Is this a 6 or a 9?": the tile's picture, large, and the answers as buttons; one tap decides.
import { fill, h, say, show } from './dom.js';
import { drawMeld, drawTile, rowsOf, tileName } from './tiles.js';

// An answer in notation: one tile, no tile (-), or rows of them.
function shown(answer) {
  if (answer === '-') return h('span', {}, say('no tile'));
  const rows = rowsOf(answer);
  return rows.length === 1 && rows[0].length === 1 ? drawTile(answer) : rows.map((row) => drawMeld(row, null, 'small'));
}

function named(answer) {
  return answer === '-' ? say('no tile') : rowsOf(answer).map((row) => row.map(tileName).join(', ')).join(' / ');
}

function answers(doubt, choose, allowed) {
  return h('div', { class: 'answers' }, (doubt.answers || []).map((answer) => h('button', {
    class: 'answer', type: 'button', disabled: !allowed, 'aria-label': named(answer.tile), onclick: () => choose(doubt, answer.tile),
  }, shown(answer.tile))));
}

function picture(doubt, state) {
  if (!state.pictures || doubt.side !== 'after' || doubt.index < 0 || !state.frame) return null;
  return h('img', { class: 'closeup', alt: '', src: '/api/tile.jpg?index=' + doubt.index + '&n=' + state.frame });
}

export function drawDoubts(holder, doubts, state, choose) {
  const allowed = state.role !== 'watch';
  show(holder, doubts.length > 0);
  fill(holder, doubts.slice(0, 1).map((doubt) => h('div', { class: 'doubt', role: 'group', 'aria-label': doubt.why },
    picture(doubt, state),
    h('div', { class: 'ask' },
      h('p', { class: 'question' }, doubt.why),
      h('p', { class: 'where' }, doubt.tile && doubt.tile !== '?' ? say('read as', { tile: tileName(doubt.tile) }) : '', doubts.length > 1 ? ' ' + say('more questions', { count: doubts.length - 1 }) : '')),
    answers(doubt, choose, allowed))));
}
