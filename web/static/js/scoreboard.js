// The scoreboard: one state in, one page out. Everything shown is drawn anew from the newest state.
import { post, refreshSession, useSession } from './actions.js';
import { stayAwake } from './awake.js';
import { notice, sure } from './chrome.js';
import { setClock } from './clock.js';
import { $, $$, fill, h, pageData, say, show, written } from './dom.js';
import { drawDoubts } from './doubts.js';
import { drawResults } from './ending.js';
import { alreadySaid, play, soundButton, speak } from './sound.js';
import { Stream } from './stream.js';
import { drawTable, fitTable } from './table.js';
import { drawMeld, drawTile } from './tiles.js';

let state = pageData('state');
let shown = null;
let busy = false;
let begun = -Infinity;
const A_TAP_MS = 1000;
let away = false; // after a lost connection another log may be played on, whose versions are lower

function put(selector, text) {
  const element = $(selector);
  if (element && element.textContent !== String(text)) element.textContent = text;
}

function act(path, body) {
  if (busy) return Promise.resolve();
  busy = true;
  document.body.setAttribute('data-busy', 'yes');
  return post(path, Object.assign({ version: state.version }, body))
    .then((answer) => take(answer.state))
    .catch((error) => {
      if (error.state) take(error.state);
      notice(error.status === 409 ? say('somebody was faster') : error.message, 'bad');
    })
    .then(() => { busy = false; document.body.removeAttribute('data-busy'); });
}

// --- players, turn ---

function playerRow(player) {
  const turn = player.name === state.player && state.phase !== 'ended' && state.phase !== 'setup';
  const won = state.phase === 'ended' && state.winners.indexOf(player.name) >= 0;
  return h('li', { class: 'player' + (turn ? ' turn' : '') + (won ? ' winner' : '') + (player.present === false ? ' gone' : ''), 'data-seat': player.seat },
    h('span', { class: 'chip', 'aria-hidden': 'true' }, won ? '★' : (Array.from(player.name)[0] || '?').toUpperCase()),
    h('span', { class: 'name' }, h('bdi', {}, player.name), player.opened ? null : h('small', {}, say('not opened'))),
    h('span', { class: 'hand', title: say('tiles in hand') }, h('b', {}, player.hand === null ? '–' : player.hand), h('small', {}, say('tiles'))),
    h('span', { class: 'score', title: say('score') }, h('b', {}, written(player.score)), h('small', {}, say('points'))));
}

function headline() {
  if (state.phase === 'setup') return say('welcome');
  if (state.phase === 'ended' && state.match_over) return say('wins match', { name: state.match_winners.join(' & ') });
  if (state.phase === 'ended') return state.winners && state.winners.length ? say('wins', { name: state.winners.join(' & ') }) : state.out ? say('out', { name: state.out }) : say('game over');
  if (state.phase === 'restore') return say('put it back', { name: state.player });
  return say('turn of', { name: state.player });
}

function drawTurn() {
  const holder = $('#turn');
  const seat = state.players.findIndex((player) => player.name === state.player);
  holder.setAttribute('data-seat', state.phase === 'ended' || state.phase === 'setup' ? 'none' : seat);
  put('#headline', headline());
  put('#turn-number', state.phase === 'setup' ? '' : say('turn number', { number: state.turn }));
  put('#pool b', state.phase === 'setup' ? '–' : state.pool);
  fill($('#players'), state.players.map(playerRow));
}

// --- table ---

function playedSentence() {
  const played = state.played || [];
  if (state.called) return say('hands off');
  return played.length ? say('played so far') : say('nothing played');
}

function isPaused() {
  return state.phase === 'play' && state.clock.pause === 'person';
}

function drawPause() {
  const since = state.since_pause;
  const changed = Boolean(since) && since.come.length + since.gone.length > 0;
  show($('#paused'), isPaused());
  put('#paused .how', changed ? say('table differs') : say('table as it was'));
  fill($('#paused .difference'), changed ? [
    since.gone.length ? h('p', {}, say('gone since'), ' ', since.gone.map((tile) => drawTile(tile, ['fault']))) : null,
    since.come.length ? h('p', {}, say('come since'), ' ', since.come.map((tile) => drawTile(tile, ['fresh']))) : null] : null);
}

// What fills the stage: the welcome, the results, or the table.
function drawStage() {
  const over = state.phase === 'ended' && state.counted && state.results.length > 0;
  show($('#welcome'), state.phase === 'setup');
  show($('#results'), over);
  show($('#table'), !over && state.phase !== 'setup');
  document.body.setAttribute('data-counted', over ? 'yes' : 'no');
  if (over) drawResults($('#results'), state);
}

function drawBoard() {
  const finished = state.phase === 'restore' || state.phase === 'verdict';
  drawTable($('#table'), state.table, { played: state.played, before: state.before, waiting: state.phase === 'setup', verdict: finished ? state.verdict : state.live_verdict });
  const line = $('#played');
  fill(line, state.phase === 'play' ? [h('span', {}, playedSentence()), (state.played || []).slice(0, 14).map((tile) => drawTile(tile))] : null);
}

// --- verdict ---

function faultItem(fault) {
  return h('li', {},
    fault.meld ? drawMeld(fault.meld.split(' '), () => ['fault'], 'small') : null,
    h('p', {}, fault.message, ' ', h('a', { class: 'paragraph', href: '/rules#p' + fault.paragraph.split(',')[0].trim() }, say('rule', { number: fault.paragraph }))));
}

function verdictBody(verdict) {
  return [
    h('p', { class: 'sentence' }, verdict.message),
    verdict.faults.length ? h('ul', { class: 'faults' }, verdict.faults.map(faultItem)) : null,
    verdict.consequence_message ? h('p', { class: 'consequence' }, verdict.consequence_message) : null,
  ];
}

function drawVerdict() {
  const holder = $('#verdict');
  const verdict = state.verdict;
  show(holder, Boolean(verdict) && state.phase !== 'setup' && !(state.doubts || []).length);
  if (!verdict) return;
  holder.setAttribute('data-verdict', verdict.verdict);
  fill($('.body', holder), verdictBody(verdict));
  holder.scrollTop = 0;
  fill($('.icon', holder), { legal: '✓', draw: '+1', illegal: '✕', unsure: '?', impossible: '?' }[verdict.verdict]);
  fill($('.overruled', holder), state.phase === 'verdict' ? '' : state.overruled);
}

function drawChanges() {
  const changes = state.changes || [];
  show($('#changes'), changes.length > 0);
  fill($('#changes ul'), changes.map((change) => h('li', {}, change)));
  const reminders = state.reminders || [];
  show($('#reminders'), reminders.length > 0);
  fill($('#reminders'), reminders.map((reminder) => h('p', {}, reminder)));
}

function drawGuide() {
  const guide = state.guide;
  show($('#guide'), state.phase === 'restore');
  if (state.phase !== 'restore') return;
  fill($('#guide .back'), guide && guide.to_hand.length ? [h('span', {}, say('back to hand', { name: state.player })), guide.to_hand.map((tile) => drawTile(tile, ['fresh']))] : null);
  fill($('#guide .melds'), (guide ? guide.melds : []).map((meld) => h('div', { class: 'goal' + (meld.done ? ' done' : '') },
    h('span', { class: 'tick', 'aria-label': meld.done ? say('lies right') : say('still to do') }, meld.done ? '✓' : '→'), drawMeld(meld.tiles.split(' '), null, 'small'))));
}

// --- buttons, camera ---

const RANKS = { watch: 0, player: 1, referee: 2 };

function drawButtons() {
  const rank = RANKS[state.role];
  $$('[data-role]').forEach((button) => show(button, rank >= RANKS[button.getAttribute('data-role')]));
  const phases = { done: ['play'], restored: ['restore'], again: ['verdict'], start: ['setup', 'ended'], count: ['ended'], end: ['play', 'verdict', 'restore'], correct: ['play', 'verdict', 'restore', 'ended'] };
  Object.keys(phases).forEach((name) => { const button = $('#' + name); if (button && !button.hidden) show(button, phases[name].indexOf(state.phase) >= 0); });
  if (state.counted) show($('#count'), false);
  if (state.phase === 'ended' && !state.counted) show($('#start'), false);
  put('#correct', state.camera === 'none' && state.phase === 'play' ? say('enter turn') : say('correct'));
  $('#correct').classList.toggle('go', state.camera === 'none' && state.phase === 'play');
  ['#undo', '#redo'].forEach((name) => { if (state.phase === 'setup') show($(name), false); });
  $('#undo').disabled = !state.can_undo;
  $('#redo').disabled = !state.can_redo;
  show($('#overrule'), rank === 2 && state.verdict && state.phase !== 'setup' && (state.phase === 'verdict' || state.last_turn > 0));
  const clock = state.clock || {};
  show($('#pause'), rank === 2 && state.phase === 'play' && (Boolean(clock.running) || clock.pause === 'camera'));
  show($('#resume'), rank === 2 && state.phase === 'play' && !clock.running && clock.pause !== 'first_move' && !state.called);
  if (isPaused()) show($('#done'), false);
  show($('#more-time'), rank === 2 && state.phase === 'play' && clock.left_s !== null && clock.left_s !== undefined);
  show($('#unlock'), rank === 0);
}

function drawCamera() {
  const holder = $('#camera');
  holder.setAttribute('data-camera', state.camera);
  put('#camera .label', say('camera ' + state.camera));
  const frame = $('#frame');
  const wanted = state.pictures && state.camera !== 'none';
  show($('#picture'), wanted);
  document.body.setAttribute('data-picture', wanted ? 'yes' : 'no');
  const url = '/api/frame.jpg?n=' + (state.frame || 0) + '&phase=' + state.phase;
  if (wanted && frame.getAttribute('src') !== url) frame.setAttribute('src', url);
}

// --- what sounds and is said ---

function announce() {
  const first = shown === null;
  const verdict = state.verdict;
  const key = verdict ? state.last_turn + ' ' + verdict.verdict : '';
  const told = shown && shown.verdict ? shown.last_turn + ' ' + shown.verdict.verdict : '';
  if (first) { alreadySaid(key); return; }
  if (key && key !== told && state.last_turn >= shown.last_turn) {
    play(verdict.verdict === 'impossible' ? 'unsure' : verdict.verdict);
    if (state.last_turn > shown.last_turn) speak(key, verdict.message);
    put('#announce', verdict.message + (verdict.consequence_message ? ' ' + verdict.consequence_message : ''));
  }
  if (state.phase === 'play' && (state.player !== shown.player || state.turn !== shown.turn)) {
    setTimeout(() => play('turn'), 700);
    put('#announce-turn', headline());
  }
  if (state.phase === 'ended' && shown.phase !== 'ended') { play('end'); put('#announce-turn', headline()); }
}

function draw() {
  document.body.setAttribute('data-phase', state.phase);
  document.title = headline() + ' · Rummy Referee';
  [drawTurn, drawBoard, drawVerdict, drawChanges, drawGuide, drawPause, drawStage, drawButtons, drawCamera].forEach((part) => part());
  drawDoubts($('#doubts'), state.doubts || [], state, (doubt, tile) => act('/api/answer', { doubt: doubt.number, tile }));
  setClock(state.phase === 'play' ? state.clock : null);
  fitTable($('#table'));
}

function take(next) {
  if (!next || (shown && next.version < state.version && !away)) return;
  away = false;
  if (shown && (shown.turn !== next.turn || shown.player !== next.player)) begun = performance.now();
  state = next;
  announce();
  draw();
  shown = state;
}

function takeReading(reading) {
  state = Object.assign({}, state, reading);
  drawBoard();
  drawGuide();
  drawPause();
  drawCamera();
  fitTable($('#table'));
}

function on(selector, action) {
  const element = $(selector);
  if (element) element.addEventListener('click', action);
}

// A second tap that follows at once was meant for the turn that has just ended, not for the next player's.
function done() {
  if (performance.now() - begun > A_TAP_MS) act('/api/done', {});
}

function buttons() {
  on('#done', done);
  on('#undo', () => act('/api/undo', {}));
  on('#redo', () => act('/api/redo', {}));
  on('#restored', () => act('/api/restored', {}));
  on('#again', () => act('/api/again', {}));
  on('#pause', () => act('/api/clock', { do: 'pause' }));
  on('#resume', () => {
    const since = state.since_pause;
    const differs = since && since.come.length + since.gone.length > 0;
    if (!differs || sure(say('go on though it differs'))) act('/api/clock', { do: 'resume' });
  });
  on('#more-time', () => act('/api/clock', { do: 'add', seconds: 30 }));
  on('#end', () => { if (sure(say('really end'))) act('/api/end', {}); });
  on('#overrule', () => {
    const open = state.phase === 'verdict'; // the verdict shown is then about the present turn
    const opposite = open || state.verdict.verdict === 'illegal' ? 'legal' : 'illegal';
    if (sure(say('really overrule ' + opposite))) act('/api/overrule', { turn: open ? state.turn : state.last_turn, verdict: opposite, reason: '' });
  });
  on('#zoom', () => document.body.classList.toggle('zoomed'));
  // The space bar and the keys of a Bluetooth clicker say "done"; a focused button keeps its own meaning of the space bar.
  document.addEventListener('keydown', (event) => {
    const keys = [' ', 'Spacebar', 'PageDown', 'ArrowRight', 'Enter'];
    const free = document.activeElement === document.body || document.activeElement === $('#done');
    if (keys.indexOf(event.key) < 0 || !free || state.phase !== 'play' || isPaused() || state.role === 'watch' || event.repeat) return;
    event.preventDefault();
    done();
  });
}

window.addEventListener('resize', () => fitTable($('#table')));
useSession(pageData('session'));
soundButton();
stayAwake();
buttons();
take(state);
new Stream({
  state: take,
  clock: (clock) => { state = Object.assign({}, state, { clock }); setClock(state.phase === 'play' ? clock : null); },
  camera: (camera) => { state = Object.assign({}, state, camera); drawCamera(); },
  reading: takeReading,
  online: (is) => { if (!is) away = true; show($('#offline'), !is); if (is && shown) refreshSession().catch(() => {}); },
}).open();
