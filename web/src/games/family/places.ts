/** Where a seat stands on a wide table, in percent of it, and how far down on a narrow one. */
export interface Place {
  x: number;
  y: number;
  /** From 0 for the seat farthest away to 1 for those nearest to the viewer. */
  drop: number;
}

/** The others sit around the far side of the water, from the viewer's left to the right. */
const PLACES: readonly (readonly Place[])[] = [
  [],
  [{ x: 50, y: 0, drop: 0 }],
  [
    { x: 22, y: 12, drop: 0 },
    { x: 78, y: 12, drop: 0 },
  ],
  [
    { x: 15, y: 30, drop: 1 },
    { x: 50, y: 0, drop: 0 },
    { x: 85, y: 30, drop: 1 },
  ],
  [
    { x: 12, y: 36, drop: 1 },
    { x: 33, y: 2, drop: 0 },
    { x: 67, y: 2, drop: 0 },
    { x: 88, y: 36, drop: 1 },
  ],
  [
    { x: 11, y: 42, drop: 1 },
    { x: 26, y: 4, drop: 0.4 },
    { x: 50, y: 0, drop: 0 },
    { x: 74, y: 4, drop: 0.4 },
    { x: 89, y: 42, drop: 1 },
  ],
  [
    { x: 10, y: 46, drop: 1 },
    { x: 23, y: 10, drop: 0.5 },
    { x: 41, y: 0, drop: 0 },
    { x: 59, y: 0, drop: 0 },
    { x: 77, y: 10, drop: 0.5 },
    { x: 90, y: 46, drop: 1 },
  ],
];

export function placesFor(players: number): readonly Place[] {
  return PLACES[players] ?? [];
}
