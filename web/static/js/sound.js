// Short sounds and the spoken verdict. Nothing sounds before the first tap: browsers want it so, and people too.
import { $ } from './dom.js';

const NOTES = {
  turn: [[523, 0, 0.12], [784, 0.12, 0.2]],
  legal: [[659, 0, 0.1], [880, 0.1, 0.22]],
  illegal: [[330, 0, 0.18], [247, 0.2, 0.32]],
  draw: [[440, 0, 0.16]],
  unsure: [[587, 0, 0.1], [587, 0.16, 0.1]],
  tick: [[988, 0, 0.05]],
  end: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.14], [1047, 0.42, 0.4]],
};

let audio = null;
let muted = remembered('mute') === 'yes';
let spoken = null;

function remembered(key) {
  try { return localStorage.getItem(key); } catch (error) { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(key, value); } catch (error) { /* a browser that keeps nothing forgets it */ }
}

function unlock() {
  const Audio = window.AudioContext || window.webkitAudioContext;
  if (!audio && Audio) audio = new Audio();
  if (audio && audio.state === 'suspended') audio.resume();
}

export function play(name) {
  if (muted || !audio || !NOTES[name]) return;
  NOTES[name].forEach((note) => {
    const start = audio.currentTime + note[1];
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.type = 'triangle';
    tone.frequency.value = note[0];
    loud.gain.setValueAtTime(0.0001, start);
    loud.gain.exponentialRampToValueAtTime(0.25, start + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + note[2]);
    tone.connect(loud);
    loud.connect(audio.destination);
    tone.start(start);
    tone.stop(start + note[2] + 0.02);
  });
}

// Says a sentence in the page's language, once for each key.
export function speak(key, sentence) {
  if (muted || !audio || !window.speechSynthesis || spoken === key) return;
  spoken = key;
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = document.documentElement.lang;
  window.speechSynthesis.cancel();
  window.speechSynthesis.speak(words);
}

export function alreadySaid(key) {
  spoken = key;
}

export function soundButton() {
  const button = $('#mute');
  if (!button) return;
  const paint = () => { button.setAttribute('aria-pressed', muted ? 'true' : 'false'); };
  button.addEventListener('click', () => {
    muted = !muted;
    remember('mute', muted ? 'yes' : 'no');
    if (muted && window.speechSynthesis) window.speechSynthesis.cancel();
    paint();
  });
  paint();
}

['touchend', 'click', 'keydown'].forEach((kind) => document.addEventListener(kind, unlock, { passive: true }));
