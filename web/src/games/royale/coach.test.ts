import { expect, it } from 'vitest';
import type { RoyaleAsked, RoyalePhase, RoyaleView, Seat, Table } from '../../wire.gen';
import { coach, type RoyaleStep } from './coach';

const learner = { table: {} as Table, seat: 'A' as const };

const row = (black: number): RoyaleAsked => ({ row: [0, 1, 2], pegs: { black, white: 0 } });

function seen(phase: RoyalePhase, maker: Seat, round = 1, colours: RoyaleAsked[] = [], shapes: RoyaleAsked[] = []): RoyaleView {
  return { public: { phase, round, roles: { maker }, rows: { colours, shapes } } } as unknown as RoyaleView;
}

it.each<[string, RoyaleStep, RoyaleView]>([
  ['the partner hides', 'waits', seen('choosing', 'B')],
  ['one hides oneself', 'hide', seen('choosing', 'A')],
  ['one’s own code is broken', 'mine', seen('breaking', 'A', 1, [row(1)])],
  ['roles change', 'swap-waits', seen('choosing', 'B', 2)],
  ['and change again', 'swap-hide', seen('choosing', 'A', 2)],
  ['the first row', 'ask', seen('breaking', 'B')],
  ['its pegs', 'pegs', seen('breaking', 'B', 1, [row(1)])],
  ['what can be concluded', 'aids', seen('breaking', 'B', 1, [row(1), row(0)], [row(2)])],
  ['one half is found', 'half', seen('breaking', 'B', 1, [row(1), row(3)])],
  ['the end', 'done', seen('over', 'B', 2)],
])('%s', (_, step, view) => {
  expect(coach.step(view, [], null, learner)).toBe(step);
});
