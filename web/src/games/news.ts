import { untrack } from 'svelte';
import { announce } from '../lib/announce.svelte';
import { isReported, markReported } from '../lib/sights';
import { cue, type Cue } from '../lib/sound';
import type { Sight } from '../wire.gen';
import type { Moment } from './moment.svelte';

/**
 * Runs `tell` once for the sights of an update, even if the game is drawn anew. Call it in an
 * effect: it depends on the sights alone, whatever `tell` reads.
 */
export function onNews(sights: Sight[], tell: () => void): void {
  if (isReported(sights)) return;
  markReported(sights);
  untrack(tell);
}

/**
 * Says what an update brought, in its texts, lets it be heard, each sound once, and tells `scenes`;
 * `undefined` leaves what is told alone. The words may still be on their way. The end of a game is
 * heard when it is shown, after its scenes.
 */
export function report<Noticed, Scene>(
  sights: Noticed[],
  texts: string[] | Promise<string[]>,
  cueOf: (sight: Noticed) => Cue | null,
  moment: Moment<Scene>,
  scenes: Scene[] | undefined,
): void {
  if (Array.isArray(texts)) announce(...texts);
  else void texts.then((said) => announce(...said));
  const cues = new Set(sights.map(cueOf));
  const end = (['won', 'lost'] as const).find((each) => cues.delete(each)) ?? null;
  cues.forEach((each) => each && cue(each));
  if (scenes || end) moment.tell(scenes ?? [], end, cues);
}
