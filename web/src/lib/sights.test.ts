import { expect, test } from 'vitest';
import type { Sight, Table } from '../wire.gen';
import { withoutHolds } from './sights';

const stop = (seat: string) => ({ mind: { notice: { stopped: seat } } }) as unknown as Sight;
const begun = { mind: { notice: 'begun' } } as unknown as Sight;
const played = { mind: { played: { seat: 'A', card: 4 } } } as unknown as Sight;
const table = (missing: string[], paused: string[] = []) =>
  ({ stage: { playing: { missing, hold: [], end: [], paused: paused.map((seat) => ({ seat, why: 'hidden' })) } } }) as unknown as Table;

test.each([
  ['a player who is here stops', [played, stop('A'), begun], table([]), [played, stop('A'), begun]],
  ['the table stops for a player who has gone', [played, stop('B')], table(['B']), [played]],
  ['the table stops for a page in the background', [stop('B'), begun], table([], ['B']), [begun]],
  ['one stops while another is missing', [stop('A')], table(['B']), [stop('A')]],
  ['no game is on', [stop('B')], { stage: 'gathering' } as Table, [stop('B')]],
])('%s', (_, sights, at, left) => {
  expect(withoutHolds(sights, at)).toEqual(left);
});
