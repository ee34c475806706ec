import { nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { RoyaleByZone, RoyalePublic, Seat, Table } from '../../wire.gen';

/** What matters now, in one line, and a second one that helps. */
export interface Now {
  text: string;
  says: string;
}

/** `asks` is where the viewer may ask. */
export function nowOf(pub: RoyalePublic, table: Table, seat: Seat | null, asks: RoyaleByZone<boolean>): Now {
  const { maker, breakers } = pub.roles;
  const name = (of: Seat) => nameAt(table, of);
  if (pub.phase === 'choosing') {
    if (seat === maker) return { text: m.ry_now_hide(), says: m.ry_now_hide_says() };
    return { text: m.ry_now_hides({ name: name(maker) }), says: '' };
  }
  if (seat === maker) return { text: m.ry_now_mine(), says: m.ry_now_talk() };
  if (seat === null) return { text: m.ry_now_theirs({ name: name(maker) }), says: '' };
  const alone = breakers.colours === breakers.shapes;
  if (asks.colours && asks.shapes) return { text: m.ry_now_break(), says: m.ry_now_break_says() };
  if (asks.colours) return { text: alone ? m.ry_now_rest_colours() : m.ry_now_colours(), says: '' };
  if (asks.shapes) return { text: alone ? m.ry_now_rest_shapes() : m.ry_now_shapes(), says: '' };
  if (alone) return { text: m.ry_now_theirs({ name: name(maker) }), says: '' };
  const other = seat === breakers.colours ? breakers.shapes : breakers.colours;
  return { text: m.ry_now_done(), says: m.ry_now_done_says({ name: name(other) }) };
}
