import type { Component } from 'svelte';
import type { GameName } from '../wire.gen';

type Guide = Promise<{ default: Component }>;

/** The illustrated rules of each game, loaded when they are read. */
const GUIDES: Record<GameName, () => Guide> = {
  mind: () => import('./mind/Guide.svelte'),
  extreme: () => import('./extreme/Guide.svelte'),
  soulmates: () => import('./soulmates/Guide.svelte'),
  royale: () => import('./royale/Guide.svelte'),
};

export function loadGuide(game: GameName): Guide {
  return GUIDES[game]();
}
