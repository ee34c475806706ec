import { partsOf } from '../games';
import { mannersOf } from '../lib/setup';
import { isOver } from '../lib/stage';
import { chapterOf } from '../replay/timeline';
import type { Table, View } from '../wire.gen';

/** Whether a table is shown its tempo now: after the game, or between levels where it likes that. Never during one. */
export function offersTempo(table: Table, view: View): boolean {
  if (partsOf(view).game.timing === null) return false;
  if (isOver(table)) return true;
  const everyLevel = mannersOf(table.setup).tempo_report === 'every-level';
  const { number, beyond } = chapterOf(view);
  return everyLevel && table.talk && (number > 1 || beyond);
}
