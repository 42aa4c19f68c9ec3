// Deciding otherwise than the referee, with a reason.
import { post, useSession } from './actions.js';
import { notice, sure } from './chrome.js';
import { $, $$, pageData, say } from './dom.js';

const edit = pageData('edit');
useSession(pageData('session'));

function decide(path, body) {
  post(path, Object.assign({ version: edit.version, turn: edit.turn }, body))
    .then(() => { window.location.href = '/'; })
    .catch((error) => {
      if (error.state) edit.version = error.state.version;
      notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
    });
}

$$('[data-overrule]').forEach((button) => button.addEventListener('click', () => decide('/api/overrule', { verdict: button.getAttribute('data-overrule'), reason: $('#reason').value })));
if ($('#back-to')) $('#back-to').addEventListener('click', () => { if (sure(say('really take back'))) decide('/api/undo', {}); });

// The picture after the turn covers the one before it, from the slider to the right.
function slide() {
  const cut = 'inset(0 0 0 ' + $('#slide').value + '%)';
  $('#over').style.webkitClipPath = cut;
  $('#over').style.clipPath = cut;
}

if ($('#slide')) {
  $('#slide').addEventListener('input', slide);
  slide();
}
