import { untrack } from 'svelte';
import type { Sight } from '../wire.gen';

const told = new WeakSet<Sight[]>();

/**
 * Runs `tell` once for the sights of an update, even if the game is drawn anew. Call it in an
 * effect: it depends on the sights alone, whatever `tell` reads.
 */
export function onNews(sights: Sight[], tell: () => void): void {
  if (told.has(sights)) return;
  told.add(sights);
  untrack(tell);
}
