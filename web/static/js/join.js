// Entering the PIN.
import { $, say, show } from './dom.js';

function tell(text) {
  $('#pin-error').textContent = text;
  show($('#pin-error'), text !== '');
}

function enter(event) {
  event.preventDefault();
  fetch('/api/session', {
    method: 'POST', credentials: 'same-origin', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pin: $('#pin').value }),
  }).then((answer) => answer.json().then((content) => {
    if (answer.status === 200) { window.location.href = '/'; return; }
    const wait = content.retry_s || 0;
    tell(wait ? say('wait', { seconds: wait }) : say('wrong pin'));
    $('#pin').select();
  })).catch(() => tell(say('no connection')));
}

if ($('#pin-form')) $('#pin-form').addEventListener('submit', enter);
