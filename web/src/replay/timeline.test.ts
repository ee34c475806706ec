import { expect, it } from 'vitest';
import type { Frame, Replay, View } from '../wire.gen';
import { chapterOf, chapters, clock, framesOf, indexAt, shownTo } from './timeline';

function level(number: number): View {
  return { mind: { public: { level: number } } } as unknown as View;
}

function frame(at: number, view = level(1)): Frame {
  const shown = { sights: [], view };
  return { at, by: null, seats: [shown, shown], spectator: shown, open: shown };
}

const TIMES = [0, 100, 100, 250, 900];

it.each([
  [0, 0],
  [99, 0],
  [100, 2],
  [249, 2],
  [250, 3],
  [899, 3],
  [900, 4],
  [10_000, 4],
])('at %i the frame is %i', (at, index) => {
  expect(
    indexAt(
      TIMES.map((each) => frame(each)),
      at,
    ),
  ).toBe(index);
});

it('finds where levels begin', () => {
  const frames = [1, 1, 2, 2, 2, 3].map((number, at) => frame(at, level(number)));
  expect(chapters(frames).map(({ number, index }) => [number, index])).toEqual([
    [1, 0],
    [2, 2],
    [3, 5],
  ]);
});

it('tells attempts and rounds apart', () => {
  const soulmates = { soulmates: { public: { level: 2, attempt: 3 } } } as unknown as View;
  const royale = { royale: { public: { round: 4 } } } as unknown as View;
  expect(chapterOf(soulmates)).toEqual({ number: 2, attempt: 3, beyond: false });
  expect(chapterOf(royale)).toEqual({ number: 4, attempt: 1, beyond: false });
});

it('has a last moment for a game that was ended early', () => {
  const over = (outcome: 'won' | null) =>
    ({ game: 1, table: { stage: { over: { outcome } } }, frames: [frame(0), frame(5)] }) as unknown as Replay;
  expect(framesOf(over('won'))).toHaveLength(2);
  expect(framesOf(over(null))).toHaveLength(3);
});

it('shows what each pair of eyes saw', () => {
  const shown = frame(0);
  shown.seats[1] = { sights: [], view: level(7) };
  expect(shownTo(shown, 1).view).toEqual(level(7));
  expect(shownTo(shown, 'open')).toBe(shown.open);
  expect(shownTo(shown, 9)).toBe(shown.spectator);
});

it('writes times in the language', () => {
  expect(clock(65_380_000, 'en')).toBe('1:05.3');
  expect(clock(65_380_000, 'de')).toBe('1:05,3');
  expect(clock(0, 'fr')).toBe('0:00,0');
  expect(clock(65_380_000, 'es')).toBe('1:05,3');
  expect(clock(65_380_000, 'it')).toBe('1:05,3');
});
