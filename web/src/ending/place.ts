import type { LevelTempo } from '../wire.gen';

/** Where things lie in the picture of a game's end. */
export interface Place {
  x(at: number, level: LevelTempo): number;
  y(card: number): number;
}

/** Room around the curve. */
export interface Margin {
  side: number;
  top: number;
  bottom: number;
}

/** Each level takes the whole width, whatever time it took; cards go up from 1 to the highest. */
export function placeOf(highest: number, width: number, height: number, { side, top, bottom }: Margin): Place {
  return {
    x: (at, { length }) => side + (width - 2 * side) * (length > 0 ? Math.min(1, at / length) : 0),
    y: (card) => height - bottom - ((height - top - bottom) * card) / highest,
  };
}
