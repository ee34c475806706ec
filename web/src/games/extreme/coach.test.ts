import { expect, it } from 'vitest';
import type { ExtremePhase, ExtremeSight, ExtremeView, Table } from '../../wire.gen';
import { coach, type ExtremeStep } from './coach';

const open = { faces: { white: 'open', red: 'open' } };
const table = { setup: { extreme: { table: [open, open, { faces: { white: 'blind', red: 'open' } }] } } } as unknown as Table;
const learner = { table, seat: 'A' as const };

function seen(phase: ExtremePhase, level = 1, own: number[] = [46], theirs = 1, laid = 0): ExtremeView {
  return {
    public: { level, phase },
    hands: [{ white: [], red: own }, theirs],
    piles: { white: '-', red: laid > 0 ? Array(laid).fill('B*').join(',') : '-' },
  } as unknown as ExtremeView;
}

const focus = (underway = false): ExtremePhase => ({ focus: { resting: [], underway } });
const playing: ExtremePhase = { playing: {} };
const erred: ExtremeSight = { notice: { erred: { earlier: [] } } };
const completed: ExtremeSight = { notice: { completed: { level: 1, reward: 'nothing', one_sided: null } } };

it.each<[string, ExtremeStep, ExtremeView]>([
  ['hands come first', 'lay', seen(focus())],
  ['one’s own hand waits for the others', 'hold', seen({ focus: { resting: ['A'], underway: false } })],
  ['one card each', 'wait', seen(playing)],
  ['the partner has none left', 'yours', seen(playing, 1, [46], 0)],
  ['nothing left', 'empty', seen(playing, 1, [])],
  ['both piles at once', 'both', seen(playing, 2, [46, 9], 2)],
  ['in the middle of a level', 'middle', seen(playing, 2, [9], 2, 1)],
  ['a raised hand', 'raised', seen({ playing: { raised: ['A'] } })],
  ['the choice for the star', 'choosing', seen({ choosing: { chosen: [] } })],
  ['a level that rests', 'stopped', seen(focus(true))],
  ['the third begins with a face-down pile', 'hidden', seen(focus(), 3)],
  ['which stays face down', 'blind', seen(playing, 3, [46, 9, 3], 3)],
  ['after three levels everything is known', 'done', seen(focus(), 4)],
])('%s', (_, step, view) => {
  expect(coach.step(view, [], null, learner)).toBe(step);
});

it('a mistake is explained, unless the lesson is over', () => {
  expect(coach.step(seen(focus(), 2), [erred, completed], 'wait', learner)).toBe('mistake');
  expect(coach.step(seen(focus(), 4), [erred, completed], 'yours', learner)).toBe('done');
});

it('what was told in the focus stays', () => {
  expect(coach.step(seen(focus(), 2), [{ notice: { rested: 'B' } }], 'mistake', learner)).toBe('mistake');
});
