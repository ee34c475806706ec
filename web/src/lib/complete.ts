import type { Help, Options, PhotoFinish, Seat, Sight, Table, Update, View } from '../wire.gen';

/** How a table stands, with what an update leaves out because the page was told before. */
export interface WholeUpdate {
  table: Table;
  /** Where this viewer sits; `null` for a spectator. */
  seat: Seat | null;
  seq: number;
  sights: Sight[];
  view: View | null;
  options: Options | null;
  help: Help | null;
  photo_finish: PhotoFinish | null;
}

/**
 * Completes an update by the table that was shown last. Updates are completed when they are shown
 * and in the order they came, so that a view never stands beside the table of another moment.
 *
 * `null` if the page was never told of the table: the update that answers the joining brings it.
 */
export function complete(update: Update, last: WholeUpdate | null): WholeUpdate | null {
  const { seq, sights = [], view = null, options = null, help = null, photo_finish = null } = update;
  const around = update.table ? { table: update.table, seat: update.you ?? null } : last && { table: last.table, seat: last.seat };
  return around && { ...around, seq, sights, view, options, help, photo_finish };
}
