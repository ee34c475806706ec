import type { Outcome, Table } from '../wire.gen';

/** Whether the game at a table is over, by its rules or because the players ended it. */
export function isOver({ stage }: Table): boolean {
  return stage !== 'gathering' && 'over' in stage;
}

/** How a game came out; `null` if it is not over, or was ended early. */
export function outcomeOf({ stage }: Table): Outcome | null {
  return stage !== 'gathering' && 'over' in stage ? stage.over.outcome : null;
}
