// "Is this a 6 or a 9?": the tile's picture, large, and the answers as buttons; one tap decides.
import { fill, h, say, show } from './dom.js';
import { drawTile, tileName } from './tiles.js';

function answers(doubt, choose, allowed) {
  return h('div', { class: 'answers' }, (doubt.answers || []).map((answer) => {
    const tile = answer.tile === undefined ? answer : answer.tile;
    return h('button', { class: 'answer', type: 'button', disabled: !allowed, onclick: () => choose(doubt, tile), 'aria-label': tile ? tileName(tile) : say('no tile') },
      tile ? drawTile(tile) : h('span', {}, say('no tile')));
  }));
}

function picture(doubt, state) {
  if (!state.pictures || doubt.index === undefined || doubt.index === null) return null;
  return h('img', { class: 'closeup', alt: '', src: '/api/tile.jpg?side=' + (doubt.side || 'after') + '&index=' + doubt.index + '&v=' + state.version });
}

export function drawDoubts(holder, doubts, state, choose) {
  const allowed = state.role !== 'watch';
  show(holder, doubts.length > 0);
  fill(holder, doubts.slice(0, 1).map((doubt) => h('div', { class: 'doubt', role: 'group', 'aria-label': doubt.why },
    picture(doubt, state),
    h('div', { class: 'ask' },
      h('p', { class: 'question' }, doubt.why),
      h('p', { class: 'where' }, doubt.tile ? say('read as', { tile: tileName(doubt.tile) }) : '', doubts.length > 1 ? ' ' + say('more questions', { count: doubts.length - 1 }) : '')),
    answers(doubt, choose, allowed))));
}
