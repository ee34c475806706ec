import { expect, it } from 'vitest';
import { EDGE, placeOf } from './curve';

it('puts the first game at the left, the last at the right, and higher scores higher', () => {
  const place = (index: number, count: number, score: number) => placeOf(index, count, score, 300, 150);
  expect(place(0, 3, 0)).toEqual({ x: EDGE.left, y: 150 - EDGE.bottom });
  expect(place(2, 3, 100)).toEqual({ x: 300 - EDGE.right, y: EDGE.top });
  expect(place(1, 3, 50).y).toBeGreaterThan(place(1, 3, 60).y);
  expect(place(0, 1, 50).x).toBe((EDGE.left + 300 - EDGE.right) / 2);
});
