// What every page has: menu, theme, shapes on tiles, full screen, language; and the small notice at the bottom.
import { $, $$, fill, h, say } from './dom.js';

function keep(key, value) {
  try { localStorage.setItem(key, value); } catch (error) { /* a browser that keeps nothing forgets it */ }
}

function isDark() {
  const chosen = document.documentElement.getAttribute('data-theme');
  return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

function themeButton() {
  const button = $('#theme');
  if (!button) return;
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.setAttribute('data-theme', theme);
    keep('theme', theme);
  });
}

function shapesButton() {
  const button = $('#shapes');
  if (!button) return;
  const off = () => document.documentElement.getAttribute('data-shapes') === 'off';
  const paint = () => button.setAttribute('aria-pressed', off() ? 'false' : 'true');
  button.addEventListener('click', () => {
    document.documentElement.setAttribute('data-shapes', off() ? 'on' : 'off');
    keep('shapes', off() ? 'off' : 'on');
    paint();
  });
  paint();
}

function fullScreenButton() {
  const button = $('#fullscreen');
  const root = document.documentElement;
  const enter = root.requestFullscreen || root.webkitRequestFullscreen;
  const leave = document.exitFullscreen || document.webkitExitFullscreen;
  if (!button) return;
  if (!enter) { button.hidden = true; return; }
  button.addEventListener('click', () => {
    const is = document.fullscreenElement || document.webkitFullscreenElement;
    (is ? leave.call(document) : enter.call(root));
  });
}

function menu() {
  const button = $('#menu-button');
  const panel = $('#menu');
  if (!button || !panel) return;
  const set = (open) => { panel.hidden = !open; button.setAttribute('aria-expanded', open ? 'true' : 'false'); };
  button.addEventListener('click', (event) => { event.stopPropagation(); set(panel.hidden); });
  document.addEventListener('click', (event) => { if (!panel.contains(event.target)) set(false); });
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape' && !panel.hidden) { set(false); button.focus(); } });
}

function language() {
  $$('select[data-language]').forEach((choice) => choice.addEventListener('change', () => choice.form.submit()));
}

let clearing = null;

// A short notice at the bottom, read out by screen readers.
export function notice(text, kind) {
  const holder = $('#notice');
  clearTimeout(clearing);
  fill(holder, h('p', { class: kind || 'info' }, text));
  clearing = setTimeout(() => fill(holder), 6000);
}

// Asks before something that cannot be taken back lightly.
export function sure(question) {
  return window.confirm(question || say('sure'));
}

themeButton();
shapesButton();
fullScreenButton();
menu();
language();
