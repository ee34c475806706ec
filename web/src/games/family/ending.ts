import { isOver } from '../../lib/stage';
import { m } from '../../paraglide/messages';
import type { ExtremePhase, MindPhase, SoulmatesPhase, Table } from '../../wire.gen';

/** How a game came out; `ended` if the players broke it off. */
export type Outcome = 'won' | 'lost' | 'ended';

/** `null` while it is played. An offer to go on is made after a victory. */
export function endingOf(phase: MindPhase | ExtremePhase | SoulmatesPhase, table: Table): Outcome | null {
  if (typeof phase === 'object' && 'offer' in phase) return 'won';
  if (typeof phase === 'object' && 'over' in phase) return phase.over.won ? 'won' : 'lost';
  return isOver(table) ? 'ended' : null;
}

/** How far a team came. */
export interface Reached {
  levels: number;
  level: number;
  lives: number;
  /** Cards in all hands at the end. */
  cards: number;
}

/** A sentence on how far the team came: what it had to spare, or what it was short of. */
export function resultText(outcome: Outcome | null, { levels, level, lives, cards }: Reached): string {
  if (outcome === 'won')
    return lives > 0 ? `${m.mind_won_says({ count: levels })} ${m.end_spare({ count: lives })}` : m.mind_won_says({ count: levels });
  if (outcome === 'lost') return cards > 0 ? m.end_short({ count: cards, level }) : m.end_short_none({ level });
  return m.mind_lost_says({ level });
}
