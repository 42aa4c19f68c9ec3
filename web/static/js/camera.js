// The camera's state, its picture as it comes, traffic lights with advice; which camera it is, and where the table lies.
import { post, useSession } from './actions.js';
import { AreaEditor } from './area.js';
import { notice } from './chrome.js';
import { $, fill, h, pageData, say, show } from './dom.js';
import { Stream } from './stream.js';
import { drawTile } from './tiles.js';

const edit = pageData('edit');
const SIGNS = { green: '●', amber: '▲', red: '■' };
let editor = null;
let known = {};

function light(check) {
  return h('li', { class: check.light }, h('span', { class: 'lamp', 'aria-hidden': 'true' }, SIGNS[check.light]), h('span', { class: 'unseen' }, say('light ' + check.light) + ': '), check.message);
}

function paint(sight) {
  $('#camera-state').textContent = say('camera ' + sight.camera);
  $('#camera-why').textContent = sight.camera_why || '';
  show($('#camera-why'), Boolean(sight.camera_why));
  if (sight.version) edit.version = sight.version;
  const frame = $('#frame');
  if (frame && sight.frame) frame.setAttribute('src', '/api/frame.jpg?n=' + sight.frame);
  fetch('/api/camera', { credentials: 'same-origin' }).then((answer) => answer.json()).then((content) => fill($('#lights'), content.checks.map(light))).catch(() => {});
}

function told(error) {
  notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
}

function choose(source) {
  notice(say('camera changes'));
  post('/api/camera', { version: edit.version, source }).then(paintChoice).catch(told);
}

function cameraButton(camera, present) {
  const is = camera.source === present;
  const picture = h('img', { alt: '', width: 160, height: 90, src: '/api/cameras/thumbnail.jpg?source=' + encodeURIComponent(camera.source) });
  picture.addEventListener('error', () => show(picture, false));
  return h('button', { type: 'button', class: 'camera', 'aria-pressed': is ? 'true' : 'false', onclick: () => choose(camera.source) }, picture, h('span', {}, camera.name));
}

function paintChoice(choice) {
  show($('#choose'), true);
  show($('#no-cameras'), choice.cameras.length === 0);
  fill($('#cameras'), choice.cameras.map((camera) => cameraButton(camera, choice.present)));
  show($('#area-buttons'), Boolean(choice.present));
  show($('#teach'), Boolean(choice.present));
  fill($('#sets'), choice.tilesets.map((name) => h('option', { value: name })));
  if (!$('#area') || !choice.present) return;
  if (editor) editor.set(choice.corners); else editor = new AreaEditor($('#area'), choice.corners);
}

function sendArea(corners) {
  post('/api/area', { version: edit.version, corners }).then((choice) => { paintChoice(choice); notice(say('area kept')); }).catch(told);
}

// --- teaching a set ---

function paintLesson(lesson) {
  fill($('#lesson'),
    h('p', { class: lesson.finished ? 'learnt' : 'warning' }, lesson.finished ? '✓ ' : '', lesson.message),
    lesson.missing.length ? h('p', { class: 'missing' }, lesson.missing.map((tile) => drawTile(tile))) : null,
    lesson.remarks.length ? h('ul', {}, lesson.remarks.map((remark) => h('li', {}, remark))) : null);
}

function teach(event) {
  event.preventDefault();
  const button = $('#teach-form button');
  button.disabled = true;
  fill($('#lesson'), h('p', {}, say('learning')));
  post('/api/teach', { version: edit.version, name: $('#set-name').value })
    .then(paintLesson, (error) => { fill($('#lesson')); told(error); })
    .then(() => { button.disabled = false; });
}

const take = (news) => { known = Object.assign({}, known, news); paint(known); };

useSession(pageData('session'));
if ($('#choose')) {
  if (edit.may_choose) fetch('/api/cameras', { credentials: 'same-origin' }).then((answer) => (answer.ok ? answer.json().then(paintChoice) : null)).catch(() => {});
  $('#teach-form').addEventListener('submit', teach);
  $('#save-area').addEventListener('click', () => sendArea(editor.corners));
  $('#whole').addEventListener('click', () => sendArea(null));
}
new Stream({ state: take, camera: take, reading: take }).open();
