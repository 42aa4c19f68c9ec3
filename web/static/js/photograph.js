// The photograph of the table, each tile an outline that can be tapped; a tap beside a tile is a tile that is missing there.
import { svg } from './dom.js';

const SIZE = 1000;
const NEAR = 1.3;

function centre(corners) {
  return [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
}

function distance(one, other) {
  return Math.sqrt(Math.pow(one[0] - other[0], 2) + Math.pow(one[1] - other[1], 2));
}

// The outline nearest to a point, whether the point lies after it in reading order, and how many tile widths away.
function nearest(point, places) {
  return places.map((place) => {
    const middle = centre(place.corners);
    const along = [place.corners[1][0] - place.corners[0][0], place.corners[1][1] - place.corners[0][1]];
    const after = (point[0] - middle[0]) * along[0] + (point[1] - middle[1]) * along[1] > 0;
    return { place, after, far: distance(point, middle) / Math.max(0.001, distance(place.corners[0], place.corners[1])) };
  }).sort((one, other) => one.far - other.far)[0];
}

// `tapped(place)` is called for a tile, `beside(place or null, after)` for bare table; `named(place)` says what lies there.
export function outlines(places, named, tapped, beside) {
  const tile = (place) => {
    const tap = (event) => { event.stopPropagation(); tapped(place); };
    return svg('polygon', {
      points: place.corners.map((corner) => corner.map((part) => Math.round(part * SIZE)).join(',')).join(' '),
      role: 'button', tabindex: '0', 'aria-label': named(place), onclick: tap,
      onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); tap(event); } },
    });
  };
  const drawn = svg('svg', { class: 'outlines', viewBox: '0 0 ' + SIZE + ' ' + SIZE, preserveAspectRatio: 'none' }, places.map(tile));
  drawn.addEventListener('click', (event) => {
    const box = drawn.getBoundingClientRect();
    const found = nearest([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height], places);
    beside(found && found.far < NEAR ? found.place : null, Boolean(found && found.after));
  });
  return drawn;
}
