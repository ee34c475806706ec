import { expect, it } from 'vitest';
import type { MindPhase, MindSight, MindView, Table } from '../../wire.gen';
import { coach, type MindStep } from './coach';

const learner = { table: {} as Table, seat: 'A' as const };

function seen(
  phase: MindPhase,
  changes: { level?: number; own?: number[]; theirs?: number; laid?: number; stars?: number; blind?: true } = {},
): MindView {
  const { level = 1, own = [36], theirs = 1, laid = 0, stars = 1 } = changes;
  return {
    public: { level, stars, phase, ...(changes.blind && { mode: { blind: { completed: 0 } } }) },
    hands: [own, theirs],
    pile: laid > 0 ? Array(laid).fill('B16').join(',') : '-',
  } as unknown as MindView;
}

const focus = (resting: ('A' | 'B')[], underway = false): MindPhase => ({ focus: { resting, underway } });
const playing: MindPhase = { playing: {} };
const erred: MindSight = { notice: { erred: { lower: [[], [16]] } } };
const completed: MindSight = { notice: { completed: { level: 1, reward: 'nothing' } } };

it.each<[string, MindStep, MindView]>([
  ['hands come first', 'lay', seen(focus([]))],
  ['one’s own hand waits for the others', 'hold', seen(focus(['A']))],
  ['then one waits for the moment', 'wait', seen(playing)],
  ['and follows once the partner has none left', 'yours', seen(playing, { theirs: 0, laid: 1 })],
  ['a player without cards stays', 'empty', seen(playing, { own: [] })],
  ['two cards: the lowest first', 'lowest', seen(playing, { level: 2, own: [20, 40], theirs: 2 })],
  ['in the middle of a level', 'middle', seen(playing, { level: 2, own: [40], theirs: 2, laid: 1 })],
  ['a star for a player who is unsure', 'unsure', seen(playing, { level: 3, theirs: 3 })],
  ['unless there is none', 'lowest', seen(playing, { level: 3, theirs: 3, stars: 0 })],
  ['a raised hand', 'raised', seen({ playing: { raised: ['A'] } })],
  ['a level that rests', 'stopped', seen(focus([], true))],
  ['face-down cards', 'encore', seen(playing, { blind: true })],
  ['the end', 'done', seen({ offer: { agreed: [] } })],
  ['another end', 'lost', seen({ over: { won: false } })],
])('%s', (_, step, view) => {
  expect(coach.step(view, [], null, learner)).toBe(step);
});

it('a complete level leads to two cards, and the one after it to the star', () => {
  expect(coach.step(seen(focus([]), { level: 2 }), [completed], 'yours', learner)).toBe('next');
  expect(coach.step(seen(focus([]), { level: 3 }), [completed], 'yours', learner)).toBe('star');
});

it('a mistake is explained, even if it completed the level', () => {
  expect(coach.step(seen(focus([]), { level: 2 }), [erred, completed], 'wait', learner)).toBe('mistake');
});

it('what was told in the focus stays until hands are lifted', () => {
  expect(coach.step(seen(focus(['B']), { level: 2 }), [{ notice: { rested: 'B' } }], 'mistake', learner)).toBe('mistake');
  expect(coach.step(seen(playing, { level: 2, theirs: 2 }), [{ notice: 'begun' }], 'mistake', learner)).toBe('lowest');
});
