import type { GameName, Setup, Table } from '../wire.gen';

/** The games that there are, in the order in which they are offered. */
export const GAMES: readonly GameName[] = ['mind', 'extreme', 'soulmates', 'royale'];

/** The name of the game in something that belongs to one, as in `{"mind": …}`. */
export function gameOf<T extends object>(value: T): GameName {
  const game = GAMES.find((name) => name in value);
  if (!game) throw new Error(`no game in ${JSON.stringify(value)}`);
  return game;
}

type SetupOf<Game extends GameName> = Extract<Setup, Record<Game, unknown>>[Game];

/** The set-up of a table at which that game is played. */
export function setupOf<Game extends GameName>(table: Table, game: Game): SetupOf<Game> {
  return (table.setup as unknown as Record<Game, SetupOf<Game>>)[game];
}
