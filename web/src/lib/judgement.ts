import { GAMES, partsOf } from '../games';
import type { GameName, Table, View } from '../wire.gen';
import { isOver } from './stage';

/** Whether a table is told now what its moves were worth. */
export function offersJudgement(table: Table, view: View): boolean {
  const { game, inner } = partsOf(view);
  return game.judgement !== null && game.judgement.offered(inner, partsOf(table.setup).inner, isOver(table));
}

/** Fetches the dialog of a game that has one. */
export function loadJudgementDialog(game: GameName) {
  const { judgement } = GAMES[game];
  if (!judgement) throw new Error(`${game} has no judgement`);
  return judgement.dialog();
}

export const judgementOfTable = (code: string) => `/api/tables/${code}/judgement`;
export const judgementOfGame = (id: string, key: string | null) =>
  `/api/replays/${encodeURIComponent(id)}/judgement${key === null ? '' : `?key=${encodeURIComponent(key)}`}`;
