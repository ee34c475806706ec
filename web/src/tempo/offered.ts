import { chapterOf } from '../replay/timeline';
import type { Table, View } from '../wire.gen';

/** Whether a table is shown its tempo now: after the game, or between levels where it likes that. Never during one. */
export function offersTempo(table: Table, view: View): boolean {
  if ('royale' in view) return false;
  if (typeof table.stage === 'object' && 'over' in table.stage) return true;
  const everyLevel = Object.values(table.setup)[0]?.manners.tempo_report === 'every-level';
  const { number, beyond } = chapterOf(view);
  return everyLevel && table.talk && (number > 1 || beyond);
}
