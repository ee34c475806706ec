import { partsOf } from '../games';
import type { Seat } from '../wire.gen';
import { planDone, planOf } from './opening';
import type { TableState } from './table.svelte';

/**
 * What the page does when a person comes to a table. A person who followed a link is seated; a
 * person who wanted to play at once gets bots in the other seats, and the game starts.
 */
export async function carryOut(table: TableState, watch: boolean): Promise<void> {
  await table.joined;
  const plan = watch ? 'watch' : (planOf(table.id) ?? 'sit');
  if (plan === 'done') return;
  planDone(table.id);
  if (plan === 'watch' || !(await sitDown(table)) || plan !== 'bots') return;
  if (!table.update) return;
  const [kind] = partsOf(table.update.table.setup).game.bots;
  for (let seat = emptySeat(table); seat; seat = emptySeat(table)) {
    if (await table.ask({ 'add-bot': { seat, kind } })) return;
  }
  await table.ask('start');
}

/** Takes the first empty seat, or the next one if another person took it first. */
async function sitDown(table: TableState): Promise<boolean> {
  while (!table.seat) {
    const seat = emptySeat(table);
    if (!seat) return false;
    const refused = await table.ask({ sit: seat });
    if (refused && refused.code !== 'seat-taken') return false;
  }
  return true;
}

function emptySeat({ update }: TableState): Seat | undefined {
  const stage = update?.table.stage;
  if (!update || (stage !== 'gathering' && stage && 'playing' in stage)) return undefined;
  return update.table.chairs.find(({ sitter }) => sitter === 'empty')?.seat;
}
