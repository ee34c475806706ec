import type { GameName } from '../wire.gen';
import { extreme } from './extreme';
import type { GameOf, SomeGame } from './game';
import { mind } from './mind';
import { royale } from './royale';
import { soulmates } from './soulmates';

/** Every game, in the order in which they are offered. This and the games' own folders name games; nothing else does. */
export const GAMES: { readonly [Name in GameName]: GameOf<Name> } = { mind, extreme, soulmates, royale };

export const GAME_NAMES = Object.keys(GAMES) as readonly GameName[] as readonly [GameName, ...GameName[]];

/** The name of the game in something that belongs to one, as in `{"mind": …}`. */
export function gameOf(value: object): GameName {
  const game = GAME_NAMES.find((name) => name in value);
  if (!game) throw new Error(`no game in ${JSON.stringify(value)}`);
  return game;
}

/**
 * A game and what belongs to it, out of one value, as in `{"mind": …}`. Both are of the same game,
 * so what the game is handed has the type that it expects.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see SomeGame
export function partsOf(value: object): { name: GameName; game: SomeGame; inner: any } {
  const name = gameOf(value);
  return { name, game: GAMES[name], inner: (value as Record<string, unknown>)[name] };
}
