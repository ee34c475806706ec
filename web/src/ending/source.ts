import { getContext, setContext } from 'svelte';
import type { Code } from '../wire.gen';

/** The game at a live table. A replay has none: its own page shows the tempo. */
export interface LiveGame {
  code: Code;
  /** Which game of the table it is. */
  number: number;
}

const KEY = Symbol('live game');

/** Tells the games drawn inside which live game they belong to. */
export function provideLiveGame(game: () => LiveGame): void {
  setContext(KEY, game);
}

/** The live game that is drawn; `null` in a replay or a lesson. */
export function liveGame(): (() => LiveGame) | null {
  return getContext<(() => LiveGame) | undefined>(KEY) ?? null;
}
