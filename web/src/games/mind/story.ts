import type { MindSight, SeenPile, Table } from '../../wire.gen';
import type { Cue } from '../../lib/sound';
import { cueOfNotice } from '../family/cue';
import { laid, owned, type OwnedCard } from '../family/face';
import { readPile, readSeen } from '../family/seen';
import type { Landing } from '../family/scene';
import type { Check, Incident, Story } from '../family/story';

/**
 * What the sights of one update leave to look at: a story, `null` when play goes on, or
 * `undefined` if what was shown before still stands. `before` is the pile before them.
 */
export function storyOf(sights: MindSight[], before: SeenPile, table: Table): Story | null | undefined {
  let story: Story | null | undefined;
  let by: Incident | null = null;
  let pile: OwnedCard[] = readPile(before);
  let check: Check | null = null;
  for (const sight of sights) {
    if ('played' in sight) pile = [...pile, readSeen(sight.played)];
    if (!('notice' in sight)) continue;
    const notice = sight.notice;
    if (notice === 'begun' || notice === 'encored') story = null;
    if (typeof notice !== 'object') continue;
    if ('stopped' in notice) story = { kind: 'stopped', seat: notice.stopped };
    if ('erred' in notice) story = by = { kind: 'erred', played: pile.at(-1)!, earlier: owned(notice.erred.lower, table) };
    if ('starred' in notice) story = by = { kind: 'starred', cards: owned(notice.starred.lowest, table) };
    if ('turned' in notice) {
      pile = notice.turned.pile.map((each) => laid(each));
      check = notice.turned;
      story = { kind: 'turned', piles: [{ cards: pile, turned: true }], check };
    }
    if ('completed' in notice) {
      const { level, reward } = notice.completed;
      story = { kind: 'completed', level, reward, by, piles: [{ cards: pile, turned: check !== null }], check, oneSided: null };
    }
  }
  return story;
}

/** The card that was laid last in an update, on its pile; `null` if none was. */
export function landingOf(sights: MindSight[], before: SeenPile, blind: boolean): Landing | null {
  const played = sights.flatMap((sight) => ('played' in sight ? [readSeen(sight.played)] : []));
  if (played.length === 0) return null;
  const wrong = sights.some((sight) => 'notice' in sight && typeof sight.notice === 'object' && 'erred' in sight.notice);
  return { pile: [...readPile(before), ...played], colour: null, blind, wrong };
}

/** What is heard of a sight. */
export function cueOf(sight: MindSight): Cue | null {
  if ('played' in sight) return 'card';
  return 'notice' in sight ? cueOfNotice(sight.notice) : null;
}
