import type { Cue } from '../../lib/sound';
import { cueOfNotice } from '../family/cue';
import type { Seat, SeenPile, SoulmatesSight } from '../../wire.gen';
import { laid } from '../family/face';
import { scenesOf as scenesOfStory, type After, type Scene } from '../family/scene';
import { readPile, readSeen } from '../family/seen';
import type { Story } from '../family/story';

/**
 * What the sights of one update leave to look at: a story, `null` when play goes on, or
 * `undefined` if what was shown before still stands.
 */
export function storyOf(sights: SoulmatesSight[]): Story | null | undefined {
  let story: Story | null | undefined;
  for (const sight of sights) {
    if ('looked' in sight || 'failed' in sight) story = null;
    if (!('notice' in sight)) continue;
    const notice = sight.notice;
    if (notice === 'begun') story = null;
    if (typeof notice !== 'object') continue;
    if ('stopped' in notice) story = { kind: 'stopped', seat: notice.stopped };
    if ('completed' in notice) {
      const { level, pile } = notice.completed;
      const piles = [{ cards: pile.map((each) => laid(each)), turned: true }];
      story = { kind: 'completed', level, reward: 'nothing', by: null, piles, check: { mistakes: 0, cost: 0 }, oneSided: null };
    }
  }
  return story;
}

/** How a table of Soulmates stands after an update. */
interface Now extends After {
  over: boolean;
  attempt: number;
  hands: { seat: Seat; count: number }[];
}

/** What the sights of one update are told with: `undefined` if nothing of theirs is. */
export function scenesOf(sights: SoulmatesSight[], before: SeenPile, now: Now): Scene[] | undefined {
  const played = sights.flatMap((sight) => ('played' in sight ? [readSeen(sight.played)] : []));
  const failed = sights.some((sight) => 'failed' in sight);
  const landing = { pile: [...readPile(before), ...played], colour: null, blind: true, wrong: false };
  const first = played.length > 0 ? landing : null;
  if (failed) return [...(first ? [{ kind: 'landed' as const, landing }] : []), { kind: 'failed', lives: now.over ? null : now.lives }];
  if (now.attempt > 1 && sights.some((sight) => 'dealt' in sight)) return [{ kind: 'dealt', hands: now.hands, attempt: now.attempt }];
  const story = storyOf(sights);
  return story === undefined ? undefined : scenesOfStory(story, first, now);
}

/** What is heard of a sight. */
export function cueOf(sight: SoulmatesSight): Cue | null {
  if ('played' in sight) return 'card';
  return 'notice' in sight ? cueOfNotice(sight.notice) : null;
}
