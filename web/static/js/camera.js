// The camera's state, its picture as it comes, and traffic lights with advice.
import { $, fill, h, say, show } from './dom.js';
import { Stream } from './stream.js';

function light(check) {
  return h('li', { class: check.ok ? 'good' : 'bad' }, h('span', { 'aria-hidden': 'true' }, check.ok ? '●' : '▲'), ' ', check.message);
}

function paint(sight) {
  $('#camera-state').textContent = say('camera ' + sight.camera);
  $('#camera-why').textContent = sight.camera_why || '';
  show($('#camera-why'), Boolean(sight.camera_why));
  const frame = $('#frame');
  if (frame && sight.frame) frame.setAttribute('src', '/api/frame.jpg?n=' + sight.frame);
  fetch('/api/camera', { credentials: 'same-origin' }).then((answer) => answer.json()).then((content) => fill($('#lights'), content.checks.map(light))).catch(() => {});
}

let known = {};
const take = (news) => { known = Object.assign({}, known, news); paint(known); };
new Stream({ state: take, camera: take, reading: take }).open();
