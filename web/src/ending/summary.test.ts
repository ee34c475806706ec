import { expect, it } from 'vitest';
import type { LevelTempo, Seat, Tempo, TempoPlay } from '../wire.gen';
import { summaryOf } from './summary';

const play = (at: number, card: number, seat: Seat, mistake = false): TempoPlay => ({
  at: at * 1_000_000,
  card,
  seat,
  lane: 'pile',
  mistake,
});

function level(number: number, plays: TempoPlay[], closest: LevelTempo['closest'] = null): LevelTempo {
  return {
    level: number,
    attempt: 1,
    beyond: false,
    complete: true,
    one_sided: null,
    length: 60_000_000,
    plays,
    marks: [],
    curves: [],
    closest,
    sync: null,
    leans: [],
  };
}
const tempo = (...levels: LevelTempo[]): Tempo => ({ levels, sync: null, leans: [] });

it('draws the level with the most cards, and lines only where there are three', () => {
  const long = level(3, [play(1, 10, 'A'), play(2, 20, 'B'), play(3, 30, 'A'), play(4, 40, 'B')]);
  const summary = summaryOf(
    tempo(level(1, [play(1, 10, 'A'), play(2, 20, 'B')]), level(2, [play(1, 10, 'A'), play(2, 20, 'B'), play(3, 30, 'A')]), long),
  );
  expect(summary?.level).toBe(long);
  expect(summary?.lines.map(({ level }) => level)).toEqual([2, 3]);
});

it('has nothing to draw after a level of two cards', () => {
  expect(summaryOf(tempo(level(1, [play(1, 10, 'A'), play(2, 20, 'B')])))).toBeNull();
});

it('names both players of the closest call of all levels', () => {
  const plays = [play(1, 10, 'A'), play(1.2, 20, 'B'), play(3, 30, 'A')];
  const other = [play(1, 51, 'B'), play(2, 52, 'A'), play(2.1, 53, 'C')];
  const summary = summaryOf(
    tempo(level(1, plays, { first: 10, next: 20, apart: 200_000 }), level(2, other, { first: 52, next: 53, apart: 100_000 })),
  );
  expect(summary?.closest).toMatchObject({ first: { card: 52, seat: 'A' }, next: { card: 53, seat: 'C' }, apart: 100_000 });
  expect(summary?.closest?.level.level).toBe(2);
});

it('calls nothing close that was seconds apart', () => {
  const plays = [play(1, 10, 'A'), play(5, 20, 'B'), play(9, 30, 'A')];
  expect(summaryOf(tempo(level(1, plays, { first: 10, next: 20, apart: 4_000_000 })))?.closest).toBeNull();
});

it('finds the longest run without a mistake, over levels', () => {
  const first = level(1, [play(1, 30, 'A', true), play(2, 40, 'B'), play(3, 50, 'A')]);
  const second = level(2, [play(1, 10, 'A'), play(2, 20, 'B'), play(3, 60, 'A'), play(4, 80, 'B', true)]);
  expect(summaryOf(tempo(first, second))?.stretch).toEqual({ cards: 5, from: 1, to: 2 });
});
