import { untrack } from 'svelte';
import { announce } from '../lib/announce.svelte';
import { isTold, markTold } from '../lib/sights';
import { cue, type Cue } from '../lib/sound';
import type { Sight } from '../wire.gen';

/**
 * Runs `tell` once for the sights of an update, even if the game is drawn anew. Call it in an
 * effect: it depends on the sights alone, whatever `tell` reads.
 */
export function onNews(sights: Sight[], tell: () => void): void {
  if (isTold(sights)) return;
  markTold(sights);
  untrack(tell);
}

/** Says what happened and lets it be heard, each sound once. */
export function report<Noticed>(sights: Noticed[], tell: (sight: Noticed) => string, cueOf: (sight: Noticed) => Cue | null): void {
  announce(...sights.map(tell));
  new Set(sights.map(cueOf)).forEach((each) => each && cue(each));
}
