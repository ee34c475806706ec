/** Room for what is written at the edges, in pixels. */
export const EDGE = { left: 34, right: 12, top: 10, bottom: 12 } as const;

/** A score from 0 to 100 as a place in a picture: the games side by side, the scores upwards. */
export function placeOf(index: number, count: number, score: number, width: number, height: number): { x: number; y: number } {
  const across = width - EDGE.left - EDGE.right;
  const up = height - EDGE.top - EDGE.bottom;
  // A single game stands in the middle.
  const part = count < 2 ? 0.5 : index / (count - 1);
  return { x: EDGE.left + across * part, y: height - EDGE.bottom - (up * score) / 100 };
}
