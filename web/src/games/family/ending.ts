import { isOver } from '../../lib/stage';
import type { ExtremePhase, MindPhase, SoulmatesPhase, Table } from '../../wire.gen';

/** How a game came out; `ended` if the players broke it off. */
export type Outcome = 'won' | 'lost' | 'ended';

/** `null` while it is played. An offer to go on is made after a victory. */
export function endingOf(phase: MindPhase | ExtremePhase | SoulmatesPhase, table: Table): Outcome | null {
  if (typeof phase === 'object' && 'offer' in phase) return 'won';
  if (typeof phase === 'object' && 'over' in phase) return phase.over.won ? 'won' : 'lost';
  return isOver(table) ? 'ended' : null;
}
