import type { Component } from 'svelte';
import type { GameName } from '../wire.gen';

/** Each game is fetched when it is first played. */
const GAMES: Record<GameName, () => Promise<{ default: Component<any> }>> = {
  mind: () => import('./mind/Game.svelte'),
  extreme: () => import('./extreme/Game.svelte'),
  soulmates: () => import('./soulmates/Game.svelte'),
  royale: () => import('./royale/Game.svelte'),
};

export function loadGame(game: GameName): Promise<{ default: Component<any> }> {
  return GAMES[game]();
}
