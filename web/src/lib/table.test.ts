import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Sight, Table, Update, View } from '../wire.gen';
import type { Connection } from './connection';
import { markReported } from './sights';
import { TableState } from './table.svelte';
import type { Timekeeper } from './timekeeper';

const around = (spectator_count: number) => ({ code: 'k3f9ab', spectator_count, stage: 'gathering' }) as Table;
const pile = (text: string) => ({ mind: { pile: text } }) as unknown as View;
const update = (seq: number, changes: Partial<Update>): Update => ({ code: 'k3f9ab', seq, show_at: 0, ...changes });

/** Server time is the page's own. */
const time = { showing: (at: number) => at } as unknown as Timekeeper;
let table: TableState;

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(0);
  table = new TableState({ joinBy: () => {} } as unknown as Connection, time, 'k3f9ab');
});
afterEach(() => vi.useRealTimers());

const shown = () => [table.update?.seq, table.update?.table.spectator_count, table.seat];

it('an update without a table is shown with the last one', () => {
  table.hear(update(1, { table: around(1), you: 'B', view: pile('-') }));
  table.hear(update(2, { view: pile('A7'), sights: [{ mind: { played: 'A7' } }] }));
  expect(shown()).toEqual([2, 1, 'B']);
  expect(table.update?.view).toEqual(pile('A7'));
  expect(table.sights).toEqual([{ mind: { played: 'A7' } }]);
});

it('what no game has told yet is told with the next update', () => {
  const [seven, eight, nine] = ['A7', 'B8', 'C9'].map((played) => ({ mind: { played } })) as [Sight, Sight, Sight];
  table.hear(update(1, { table: around(1), you: 'B', view: pile('-') }));
  table.hear(update(2, { view: pile('A7'), sights: [seven] }));
  table.hear(update(3, { table: around(2), view: pile('A7') }));
  table.hear(update(4, { view: pile('A7,B8'), sights: [eight] }));
  expect(table.sights).toEqual([seven, eight]);
  markReported(table.sights);
  table.hear(update(5, { view: pile('A7,B8,C9'), sights: [nine] }));
  expect(table.sights).toEqual([nine]);
});

it('a view waits together with its table, and never stands beside a later one', () => {
  const now = performance.now();
  table.hear(update(1, { table: around(1), you: 'B' }));
  table.hear(update(2, { view: pile('A7'), show_at: now + 100 }));
  table.hear(update(3, { table: around(5), view: pile('A7'), show_at: now + 200 }));
  table.hear(update(4, { view: pile('A7,B8'), show_at: now + 300 }));
  expect(shown()).toEqual([1, 1, 'B']);
  vi.advanceTimersByTime(100);
  expect(shown()).toEqual([2, 1, 'B']);
  vi.advanceTimersByTime(100);
  expect(shown()).toEqual([3, 5, null]);
  vi.advanceTimersByTime(100);
  expect(shown()).toEqual([4, 5, null]);
});

it('after a reconnection the table comes again, with whatever has changed', () => {
  table.hear(update(1, { table: around(1), you: 'A', view: pile('-') }));
  table.hear(update(2, { view: pile('A7') }));
  // The connection broke here; the page joins again.
  table.hear(update(5, { table: around(2), you: 'C', view: pile('A7,B9') }));
  table.hear(update(6, { view: pile('A7,B9,C10') }));
  expect(shown()).toEqual([6, 2, 'C']);
});

it('an update that was on its way before the page joined is not shown', async () => {
  let joined = false;
  void table.joined.then(() => (joined = true));
  table.hear(update(7, { view: pile('A7') }));
  await vi.advanceTimersByTimeAsync(0);
  expect([table.update, joined]).toEqual([null, false]);
  table.hear(update(8, { table: around(1), view: pile('A7') }));
  await vi.advanceTimersByTimeAsync(0);
  expect([shown(), joined]).toEqual([[8, 1, null], true]);
});
