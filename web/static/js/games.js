// History: undo and redo, and deleting a game for good.
import { post, useSession } from './actions.js';
import { notice, sure } from './chrome.js';
import { $, $$, pageData, say } from './dom.js';

const edit = pageData('edit');

function act(path, body, then) {
  post(path, Object.assign({ version: edit.version }, body)).then(then).catch((error) => {
    if (error.state) edit.version = error.state.version;
    notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
  });
}

useSession(pageData('session'));
['undo', 'redo'].forEach((name) => {
  if ($('#' + name)) $('#' + name).addEventListener('click', () => act('/api/' + name, {}, () => window.location.reload()));
});
$$('[data-delete]').forEach((button) => button.addEventListener('click', () => {
  if (sure(say('really delete'))) act('/api/delete', { game: Number(button.getAttribute('data-delete')) }, () => { window.location.href = '/games'; });
}));
