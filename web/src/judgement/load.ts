import type { Problem } from '../lib/api';
import { setupOf } from '../lib/games';
import type { Judgement, Table, View } from '../wire.gen';

/** Whether a table of Royale is told what its rows were worth: after the game, or after a round where the solver helps. */
export function offersJudgement(table: Table, view: View): boolean {
  if (!('royale' in view)) return false;
  const { sheet } = view.royale.public;
  const over = typeof table.stage === 'object' && 'over' in table.stage;
  return sheet.length > 0 && (over || setupOf(table, 'royale').aids.suggest);
}

export const judgementOfTable = (code: string) => `/api/tables/${code}/judgement`;
export const judgementOfGame = (id: string, key: string | null) =>
  `/api/replays/${encodeURIComponent(id)}/judgement${key === null ? '' : `?key=${encodeURIComponent(key)}`}`;

export async function loadJudgement(from: string): Promise<Judgement | Problem> {
  try {
    return (await (await fetch(from)).json()) as Judgement | Problem;
  } catch {
    return { code: 'no-connection', text: 'the server does not answer' };
  }
}
