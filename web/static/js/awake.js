// Keeps the screen on beside the game. Plain http has no wake lock; there a tiny film without sound plays, and a hint names
// the tablet's own setting once.
import { notice } from './chrome.js';
import { say } from './dom.js';

const FRAME_MS = 1000;

function withLock() {
  const ask = () => { if (!document.hidden) navigator.wakeLock.request('screen').catch(() => {}); };
  document.addEventListener('visibilitychange', ask);
  ask();
}

// A film of two shades of nothing, drawn here: no file to fetch, no sound to hear.
function withFilm() {
  const canvas = document.createElement('canvas');
  const video = document.createElement('video');
  if (!canvas.captureStream || !('srcObject' in video)) return;
  canvas.width = 2;
  canvas.height = 2;
  const brush = canvas.getContext('2d');
  let shade = 0;
  setInterval(() => { shade = 1 - shade; brush.fillStyle = shade ? '#000' : '#010101'; brush.fillRect(0, 0, 2, 2); }, FRAME_MS);
  video.muted = true;
  video.setAttribute('playsinline', '');
  video.setAttribute('aria-hidden', 'true');
  video.className = 'film';
  video.srcObject = canvas.captureStream(1);
  document.body.appendChild(video);
  const play = () => { const playing = video.play(); if (playing) playing.catch(() => {}); };
  document.addEventListener('visibilitychange', () => { if (!document.hidden) play(); });
  play();
}

function hintOnce() {
  try {
    if (localStorage.getItem('awake') === 'told') return;
    localStorage.setItem('awake', 'told');
  } catch (error) { return; }
  notice(say('keep awake'));
}

export function stayAwake() {
  if (navigator.wakeLock) { withLock(); return; }
  document.addEventListener('click', function first() {
    document.removeEventListener('click', first);
    withFilm();
    if (navigator.maxTouchPoints > 0 || 'ontouchstart' in window) hintOnce();
  });
}
