// The playing area: four corners over the picture, dragged by finger, mouse or arrow keys. Parts of width and height.
import { say, svg } from './dom.js';

const SIZE = 1000;
const STEP = 0.01;
const WHOLE = [[0.02, 0.02], [0.98, 0.02], [0.98, 0.98], [0.02, 0.98]];
const MOVES = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

function inside(part) {
  return Math.min(1, Math.max(0, part));
}

export class AreaEditor {
  constructor(holder, corners) {
    this.corners = (corners || WHOLE).map((corner) => corner.slice());
    this.held = null;
    this.outside = svg('path', { class: 'outside', 'fill-rule': 'evenodd' });
    this.edge = svg('polygon', { class: 'edge' });
    this.handles = this.corners.map((corner, place) => svg('circle', { class: 'handle', r: 26, role: 'button', tabindex: '0', 'aria-label': say('corner', { number: place + 1 }), onkeydown: (event) => this.key(event, place), onmousedown: (event) => this.hold(event, place), ontouchstart: (event) => this.hold(event, place) }));
    this.drawn = svg('svg', { class: 'area', viewBox: '0 0 ' + SIZE + ' ' + SIZE, preserveAspectRatio: 'none' }, this.outside, this.edge, this.handles);
    holder.appendChild(this.drawn);
    ['mousemove', 'touchmove'].forEach((kind) => document.addEventListener(kind, (event) => this.move(event), { passive: false }));
    ['mouseup', 'touchend', 'touchcancel'].forEach((kind) => document.addEventListener(kind, () => { this.held = null; }));
    this.paint();
  }

  set(corners) {
    this.corners = (corners || WHOLE).map((corner) => corner.slice());
    this.paint();
  }

  hold(event, place) {
    event.preventDefault();
    this.held = place;
    this.handles[place].focus();
  }

  move(event) {
    if (this.held === null) return;
    event.preventDefault();
    const at = event.touches ? event.touches[0] : event;
    const box = this.drawn.getBoundingClientRect();
    this.corners[this.held] = [inside((at.clientX - box.left) / box.width), inside((at.clientY - box.top) / box.height)];
    this.paint();
  }

  key(event, place) {
    const by = MOVES[event.key];
    if (!by) return;
    event.preventDefault();
    this.corners[place] = this.corners[place].map((part, axis) => inside(part + by[axis]));
    this.paint();
  }

  paint() {
    const points = this.corners.map((corner) => corner.map((part) => Math.round(part * SIZE)));
    this.edge.setAttribute('points', points.map((point) => point.join(',')).join(' '));
    this.outside.setAttribute('d', 'M0 0H' + SIZE + 'V' + SIZE + 'H0zM' + points.map((point) => point.join(' ')).join('L') + 'z');
    points.forEach((point, place) => { this.handles[place].setAttribute('cx', point[0]); this.handles[place].setAttribute('cy', point[1]); });
  }
}
