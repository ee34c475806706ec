import { expect, it } from 'vitest';
import { SEATS } from '../../lib/seats';
import { placesFor } from './places';

it.each(SEATS.map((_, index) => index + 1))('%i players have a place each, in order and apart from each other', (players) => {
  const places = placesFor(players);
  expect(places).toHaveLength(players);
  for (const [index, { x, y }] of places.slice(1).entries()) {
    const before = places[index]!;
    // On one height a name needs a sixth of the width; where seats stand lower, less.
    expect(x - before.x).toBeGreaterThanOrEqual(Math.abs(y - before.y) > 8 ? 13 : 17);
  }
});
