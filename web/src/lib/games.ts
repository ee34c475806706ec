import type { GameName } from '../wire.gen';

/** The games that there are, in the order in which they are offered. */
export const GAMES: readonly GameName[] = ['mind', 'extreme', 'soulmates', 'royale'];

/** How many can play each. */
export const PLAYERS: Record<GameName, readonly number[]> = {
  mind: [2, 3, 4],
  extreme: [2, 3, 4],
  soulmates: [2, 3, 4, 5],
  royale: [2, 3],
};

/** The name of the game in something that belongs to one, as in `{"mind": …}`. */
export function gameOf<T extends object>(value: T): GameName {
  const game = GAMES.find((name) => name in value);
  if (!game) throw new Error(`no game in ${JSON.stringify(value)}`);
  return game;
}
