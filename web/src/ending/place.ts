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

/** Each level takes the whole width from its first card to its end, whatever time it took; cards go up from 1 to the highest. */
export function placeOf(highest: number, width: number, height: number, { side, top, bottom }: Margin): Place {
  return {
    x: (at, { length, plays }) => {
      const first = plays[0]?.at ?? 0;
      return side + (width - 2 * side) * (length > first ? Math.min(1, (at - first) / (length - first)) : 0);
    },
    y: (card) => height - bottom - ((height - top - bottom) * card) / highest,
  };
}

export interface Point {
  x: number;
  y: number;
}

/** Between a note and the line that it is written at. */
const NOTE_ABOVE = 40;
const NOTE_BELOW = 42;

/**
 * Where a note of this width is written: under the points `from` and `to`, or above them where there is no
 * room below, clear of the line in either case. Returns the middle of its baseline.
 */
export function noteAt(
  line: readonly Point[],
  from: Point,
  to: Point,
  noteWidth: number,
  width: number,
  { side, bottom }: Margin,
  height: number,
): Point {
  const least = side + noteWidth / 2;
  const x = Math.max(least, Math.min(width - least, (from.x + to.x) / 2));
  const heights = heightsBetween(line, x - noteWidth / 2, x + noteWidth / 2);
  const under = Math.max(from.y, to.y, ...heights) + NOTE_BELOW;
  return { x, y: under <= height - bottom ? under : Math.min(from.y, to.y, ...heights) - NOTE_ABOVE };
}

/** The heights of a line at its points between two places, and at these places. */
function heightsBetween(line: readonly Point[], left: number, right: number): number[] {
  const inside = line.flatMap(({ x, y }) => (x >= left && x <= right ? [y] : []));
  const crossed = line.slice(1).flatMap((end, index) => {
    const start = line[index]!;
    return [left, right].flatMap((x) =>
      x > start.x && x < end.x ? [start.y + ((end.y - start.y) * (x - start.x)) / (end.x - start.x)] : [],
    );
  });
  return [...inside, ...crossed];
}
