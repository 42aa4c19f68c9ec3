// The table: melds in rows, their tiles as large as the room allows.
import { fill, h, say } from './dom.js';
import { drawMeld, freshPlaces, rowsOf } from './tiles.js';

const SMALLEST = 15;
const LARGEST_OF_WIDTH = 0.075;
const SHAPE = 84 / 60;

// How tall the melds would be, laid in lines of `width` with tiles of `size` pixels.
function heightAt(size, rows, width) {
  const gap = size * 0.55;
  let lines = 1;
  let used = 0;
  rows.forEach((row) => {
    const wide = row.length * size * 1.04 + gap;
    if (used > 0 && used + wide > width) { lines += 1; used = 0; }
    used += wide;
  });
  return lines * (size * SHAPE + gap);
}

function largestThatFits(rows, width, height) {
  const longest = rows.reduce((most, row) => Math.max(most, row.length), 1);
  let size = Math.min(window.innerWidth * LARGEST_OF_WIDTH + 24, (width - 8) / (longest * 1.04 + 0.55), width / 5);
  while (size > SMALLEST && heightAt(size, rows, width) > height) size -= 1;
  return Math.max(SMALLEST, Math.floor(size));
}

export function fitTable(holder) {
  const rows = holder.tableRows || [];
  const style = window.getComputedStyle(holder);
  const width = holder.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const free = document.body.clientWidth < 820 || window.innerHeight > window.innerWidth
    ? window.innerHeight * 0.55 : holder.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  holder.style.setProperty('--tile', largestThatFits(rows, width, free) + 'px');
}

// Which rows are named by a fault, as many times as they are named.
function faultyRows(rows, verdict) {
  const bad = {};
  ((verdict && verdict.faults) || []).forEach((fault) => { if (fault.meld) bad[fault.meld] = true; });
  return rows.map((row) => Boolean(bad[row.join(' ')]));
}

// Draws the table anew only where it is another one: an old tablet takes its time to draw a hundred tiles.
export function drawTable(holder, table, options) {
  const faults = options.verdict ? options.verdict.faults.map((fault) => fault.meld) : [];
  const drawing = JSON.stringify([table, options.before, options.played, faults, Boolean(options.waiting)]);
  if (holder.drawing === drawing) return;
  holder.drawing = drawing;
  const rows = rowsOf(table);
  const fresh = freshPlaces(rows, options.played, options.before);
  const faulty = faultyRows(rows, options.verdict);
  holder.tableRows = rows;
  fill(holder, rows.length === 0
    ? h('p', { class: 'empty' }, say(options.waiting ? 'no game yet' : 'empty table'))
    : rows.map((row, r) => drawMeld(row, (tile, place) => [fresh[r][place] ? 'fresh' : '', tile === '?' ? 'doubt' : ''], faulty[r] ? 'faulty' : '')));
}
