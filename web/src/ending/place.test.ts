import { expect, it } from 'vitest';
import type { LevelTempo } from '../wire.gen';
import { noteAt, placeOf } from './place';

it('a level takes the whole width from its first card on, however long it was', () => {
  const { x, y } = placeOf(100, 400, 300, { side: 20, top: 30, bottom: 40 });
  for (const first of [0, 2_000_000]) {
    for (const played of [5_000_000, 90_000_000]) {
      const level = { length: first + played, plays: [{ at: first }] } as LevelTempo;
      expect([x(first, level), x(first + played / 2, level), x(first + played, level)]).toEqual([20, 200, 380]);
    }
  }
  const single = { length: 3_000_000, plays: [{ at: 3_000_000 }] } as LevelTempo;
  expect(x(3_000_000, single)).toBe(20);
  expect([y(0), y(100)]).toEqual([260, 30]);
});

const MARGIN = { side: 20, top: 30, bottom: 40 };

it('a note at the end of a rising line is under it, inside the picture', () => {
  const line = [
    { x: 20, y: 250 },
    { x: 300, y: 100 },
    { x: 380, y: 60 },
  ];
  const { x, y } = noteAt(line, line[1]!, line[2]!, 160, 400, MARGIN, 300);
  expect(x).toBe(300);
  // The line is at 143 where the note begins.
  expect(y).toBeGreaterThan(143 + 20);
});

it('a note at the lower edge is above the line', () => {
  const line = [
    { x: 20, y: 255 },
    { x: 60, y: 250 },
    { x: 380, y: 60 },
  ];
  const { y } = noteAt(line, line[0]!, line[1]!, 160, 400, MARGIN, 300);
  // The line has climbed to 179 where the note ends.
  expect(y).toBeLessThan(179 - 20);
});
