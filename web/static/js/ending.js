// The end of a game: who has won, the order of the players, and every game of the match.
import { fill, h, say, svg, written } from './dom.js';

const CROWN = 'M6 40L2 12l13 10L24 4l9 18 13-10-4 28z';

function crown() {
  return svg('svg', { class: 'crown', viewBox: '-3 -1 54 43', 'aria-hidden': 'true' }, svg('path', { d: CROWN }), [2, 24, 46].map((x) => svg('circle', { cx: x, cy: x === 24 ? 4 : 12, r: 3.2 })));
}

function signed(points) {
  return (points > 0 ? '+' : '') + written(points);
}

function ranked(state, last) {
  return state.players.map((player) => ({ player, points: last.points[player.seat] }))
    .sort((one, other) => other.player.score - one.player.score || other.points - one.points);
}

function ranking(state, last) {
  return h('ol', { class: 'ranking' }, ranked(state, last).map((line) => h('li', { 'data-seat': line.player.seat, class: last.winners.indexOf(line.player.name) >= 0 ? 'winner' : '' },
    h('bdi', { class: 'name' }, line.player.name), h('span', { class: 'points' }, signed(line.points)), h('b', { class: 'score' }, written(line.player.score)))));
}

function games(results) {
  if (results.length < 2) return null;
  const names = results[results.length - 1].names;
  return h('div', { class: 'scroll', tabindex: '0' }, h('table', {},
    h('thead', {}, h('tr', {}, h('th', {}, say('game')), names.map((name) => h('th', { class: 'n' }, h('bdi', {}, name))))),
    h('tbody', {}, results.map((game) => h('tr', {}, h('td', {}, game.number), game.points.map((points, seat) => h('td', { class: 'n' }, game.winners.indexOf(game.names[seat]) >= 0 ? '★ ' : '', signed(points))))))));
}

export function drawResults(holder, state) {
  const last = state.results[state.results.length - 1];
  fill(holder,
    crown(),
    ranking(state, last),
    games(state.results));
}
