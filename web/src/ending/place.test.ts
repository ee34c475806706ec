import { expect, it } from 'vitest';
import type { LevelTempo } from '../wire.gen';
import { placeOf } from './place';

it('a level takes the whole width, however long it was', () => {
  const { x, y } = placeOf(100, 400, 300, { side: 20, top: 30, bottom: 40 });
  for (const length of [5_000_000, 90_000_000]) {
    const level = { length } as LevelTempo;
    expect([x(0, level), x(length / 2, level), x(length, level)]).toEqual([20, 200, 380]);
  }
  expect([y(0), y(100)]).toEqual([260, 30]);
});
