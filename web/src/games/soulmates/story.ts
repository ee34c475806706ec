import type { Cue } from '../../lib/sound';
import { cueOfNotice } from '../family/cue';
import type { SoulmatesSight } from '../../wire.gen';
import { laid } from '../family/face';
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
      story = { kind: 'completed', level, reward: 'nothing', by: null, piles, check: null, oneSided: null };
    }
  }
  return story;
}

/** What is heard of a sight. */
export function cueOf(sight: SoulmatesSight): Cue | null {
  if ('played' in sight) return 'card';
  if ('failed' in sight) return 'mistake';
  return 'notice' in sight ? cueOfNotice(sight.notice) : null;
}
