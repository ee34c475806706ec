import { expect, it } from 'vitest';
import type { Sight, Table, Update, View } from '../wire.gen';
import { complete } from './complete';

const table = (spectator_count: number) => ({ code: 'k3f9ab', spectator_count }) as Table;
const view = { mind: { hands: [[3], 1], pile: 'B2' } } as unknown as View;
const update = (changes: Partial<Update>): Update => ({ code: 'k3f9ab', seq: 1, show_at: 0, ...changes });

it('what an update leaves out is nothing', () => {
  expect(complete(update({ table: table(1), you: 'B' }), null)).toEqual({
    table: table(1),
    seat: 'B',
    seq: 1,
    sights: [],
    view: null,
    options: null,
    help: null,
    photo_finish: null,
  });
});

it('an update without a table keeps the table and the seat, and nothing else', () => {
  const sights: Sight[] = [{ mind: { played: 'B2' } }];
  const first = complete(update({ table: table(1), you: 'A', sights, view, options: { mind: ['stop'] } }), null);
  const second = complete(update({ seq: 2 }), first);
  expect(second).toMatchObject({ table: table(1), seat: 'A', seq: 2, sights: [], view: null, options: null });
});

it('a table without a seat is for a spectator', () => {
  const seated = complete(update({ table: table(1), you: 'A' }), null);
  const standing = complete(update({ table: table(2) }), seated);
  expect(standing).toMatchObject({ table: table(2), seat: null });
});

it('an update of an unknown table cannot be completed', () => {
  expect(complete(update({ view }), null)).toBeNull();
});
