// Draws every element with data-table or data-tiles: server-rendered pages give tables in notation.
import { $$, fill } from './dom.js';
import { drawMeld, drawTile, rowsOf } from './tiles.js';

$$('[data-table]').forEach((holder) => {
  const rows = rowsOf(holder.getAttribute('data-table'));
  if (rows.length) fill(holder, rows.map((row) => drawMeld(row, null, 'small')));
});
$$('[data-tiles]').forEach((holder) => {
  const tiles = holder.getAttribute('data-tiles').split(' ').filter((tile) => tile);
  const marks = holder.hasAttribute('data-fault') ? ['fault'] : [];
  fill(holder, tiles.map((tile) => drawTile(tile, marks)));
});
