// Players who come, go, or are called otherwise; counts set by hand; lost tiles.
import { post, useSession } from './actions.js';
import { notice, sure } from './chrome.js';
import { $, $$, pageData, say } from './dom.js';
import { pickTile } from './picker.js';

const edit = pageData('edit');

function act(path, body) {
  return post(path, Object.assign({ version: edit.version }, body)).then((answer) => { edit.version = answer.version; });
}

function told(error) {
  if (error.state) edit.version = error.state.version;
  notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
}

function fresh() {
  window.location.reload();
}

// Only what was changed is sent, the name last: the others are found by it.
function save(seat) {
  const player = seat.getAttribute('data-player');
  const changed = (selector) => { const field = $(selector, seat); return field.value !== field.defaultValue ? field.value : null; };
  const steps = [];
  if (changed('.hand') !== null) steps.push(() => act('/api/hand', { player, count: Number(changed('.hand')) }));
  if (changed('.score') !== null) steps.push(() => act('/api/score', { player, score: Number(changed('.score')) }));
  if (changed('.rename') !== null) steps.push(() => act('/api/rename', { player, name: changed('.rename') }));
  steps.reduce((before, step) => before.then(step), Promise.resolve()).then(fresh).catch(told);
}

function on(root, selector, action) {
  const element = $(selector, root);
  if (element) element.addEventListener('click', action);
}

useSession(pageData('session'));
$$('.seat').forEach((seat) => {
  const player = seat.getAttribute('data-player');
  on(seat, '.save', () => save(seat));
  on(seat, '.turn-to', () => act('/api/turn', { player }).then(fresh).catch(told));
  on(seat, '.leave', () => { if (sure(say('really leaves', { name: player }))) act('/api/leave', { player }).then(fresh).catch(told); });
});
on(document, '#join', () => act('/api/join', { name: $('#joins').value }).then(fresh).catch(told));
on(document, '#lost', () => pickTile(say('which tile'), (tile) => act('/api/lost', { tile }).then(fresh).catch(told)));
$$('.found').forEach((button) => button.addEventListener('click', () => act('/api/found', { tile: button.getAttribute('data-tile') }).then(fresh).catch(told)));
