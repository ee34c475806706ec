import { expect, it } from 'vitest';
import type { Seat, SoulmatesPhase, SoulmatesView, Table } from '../../wire.gen';
import { coach, type SoulmatesStep } from './coach';

const learner = { table: {} as Table, seat: 'A' as const };

interface Changes {
  seer?: Seat;
  level?: number;
  attempt?: number;
  own?: number[];
  theirs?: number;
  laid?: number;
}
function seen(phase: SoulmatesPhase, changes: Changes = {}): SoulmatesView {
  const { seer = 'B', level = 1, attempt = 1, own = [12, 25], theirs = 2, laid = 0 } = changes;
  return {
    public: { level, attempt, seer, phase },
    hands: [own, theirs],
    pile: laid > 0 ? Array(laid).fill('B*').join(',') : '-',
  } as unknown as SoulmatesView;
}

const focus = (resting: Seat[] = [], underway = false): SoulmatesPhase => ({ focus: { resting, underway } });

it.each<[string, SoulmatesStep, SoulmatesView]>([
  ['the partner sees first', 'seer', seen('looking')],
  ['and writes', 'slate', seen('hinting')],
  ['the slate is read', 'lay', seen(focus())],
  ['one’s own hand waits for the others', 'hold', seen(focus(['A']))],
  ['face down', 'wait', seen('playing')],
  ['backs', 'backs', seen('playing', { laid: 1 })],
  ['the partner has none left', 'yours', seen('playing', { theirs: 0, laid: 2 })],
  ['nothing left', 'empty', seen('playing', { own: [] })],
  ['a wrong order beside the Seer', 'failed', seen('amending')],
  ['the same cards again', 'again', seen(focus(), { attempt: 2 })],
  ['now one is the Seer', 'look', seen('looking', { seer: 'A', level: 2 })],
  ['and writes oneself', 'hint', seen('hinting', { seer: 'A', level: 2 })],
  ['and plays', 'lay-seer', seen(focus(), { seer: 'A', level: 2 })],
  ['a wrong order as the Seer', 'amend', seen('amending', { seer: 'A', level: 2 })],
  ['a level that rests', 'stopped', seen(focus([], true))],
  ['after two levels everything is known', 'done', seen('hinting', { level: 3 })],
  ['and stays so until it is played', 'done', seen(focus(['B']), { level: 3 })],
])('%s', (_, step, view) => {
  expect(coach.step(view, [], null, learner)).toBe(step);
});
