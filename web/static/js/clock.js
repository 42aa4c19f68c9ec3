// The clock between two words of the server: it counts on by itself, and is set right by every event.
import { $, say } from './dom.js';
import { play } from './sound.js';

const AMBER_S = 20;
const RED_S = 10;

let left = null;
let total = null;
let running = false;
let heard = 0;
let ticked = null;

function now() {
  return running && left !== null ? Math.max(0, left - (performance.now() - heard) / 1000) : left;
}

function written(seconds) {
  const whole = Math.ceil(seconds);
  return Math.floor(whole / 60) + ':' + String(whole % 60).padStart(2, '0');
}

function mood(seconds) {
  return seconds <= RED_S ? 'red' : seconds <= AMBER_S ? 'amber' : 'calm';
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function paintClock() {
  const holder = $('#clock');
  if (!holder) return;
  const seconds = now();
  holder.hidden = seconds === null;
  if (seconds === null) return;
  put($('.digits', holder), written(seconds));
  const state = running ? mood(seconds) : 'paused';
  if (holder.getAttribute('data-mood') !== state) holder.setAttribute('data-mood', state);
  put($('.hint', holder), { calm: '', amber: say('hurry'), red: say('last seconds'), paused: say('paused') }[state]);
  const whole = Math.ceil(seconds);
  const part = 'scaleX(' + (total ? Math.min(1, whole / total).toFixed(3) : 0) + ')';
  const bar = $('.bar i', holder);
  if (bar.style.transform !== part) bar.style.transform = part;
  if (running && whole <= RED_S && whole > 0 && ticked !== whole) { ticked = whole; play('tick'); }
}

export function setClock(clock) {
  left = clock && clock.left_s !== undefined ? clock.left_s : null;
  running = Boolean(clock && clock.running);
  total = clock && clock.total_s ? clock.total_s : Math.max(total || 0, left || 0);
  heard = performance.now();
  paintClock();
}

setInterval(paintClock, 200);
