import type { ExtremeSight, MindSight, Seat, SoulmatesSight, Table } from '../../wire.gen';

/** Whose hands were lifted together in an update, in the order of the seats; `null` if play did not begin. */
export function begunBy(sights: readonly (MindSight | ExtremeSight | SoulmatesSight)[], table: Table): Seat[] | null {
  const begins = sights.some((sight) => 'notice' in sight && sight.notice === 'begun');
  return begins ? table.chairs.map(({ seat }) => seat) : null;
}
