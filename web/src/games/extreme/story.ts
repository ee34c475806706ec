import type { Cue } from '../../lib/sound';
import { cueOfNotice } from '../family/cue';
import type { ExtremeByColour, ExtremeSight, SeenPile, Table } from '../../wire.gen';
import { laid, ownedColours, type Placed } from '../family/face';
import { readPile, readSeen } from '../family/seen';
import type { Incident, Story } from '../family/story';

const COLOURS = ['white', 'red'] as const;

/**
 * What the sights of one update leave to look at: a story, `null` when play goes on, or
 * `undefined` if what was shown before still stands. `before` are the piles before them.
 */
export function storyOf(sights: ExtremeSight[], before: ExtremeByColour<SeenPile>, table: Table): Story | null | undefined {
  let story: Story | null | undefined;
  let by: Incident | null = null;
  const piles: ExtremeByColour<Placed[]> = {
    white: readPile(before.white, 'white'),
    red: readPile(before.red, 'red'),
  };
  let last: Placed | undefined;
  const turned = { white: false, red: false };
  let mistakes = 0;
  let check: { mistakes: number; cost: number } | null = null;
  for (const sight of sights) {
    if ('played' in sight) {
      last = readSeen(sight.played.card, sight.played.colour);
      piles[sight.played.colour].push(last);
    }
    if (!('notice' in sight)) continue;
    const notice = sight.notice;
    if (notice === 'begun' || notice === 'choosing') story = null;
    if (typeof notice !== 'object') continue;
    if ('stopped' in notice) story = { kind: 'stopped', seat: notice.stopped };
    if ('erred' in notice && last) story = by = { kind: 'erred', played: last, earlier: ownedColours(notice.erred.earlier, table) };
    if ('starred' in notice) story = by = { kind: 'starred', cards: ownedColours(notice.starred.chosen, table) };
    if ('turned' in notice) {
      const { colour, pile } = notice.turned;
      piles[colour] = pile.map((each) => laid(each, colour));
      turned[colour] = true;
      mistakes += notice.turned.mistakes;
    }
    if ('checked' in notice) check = { mistakes, cost: notice.checked.cost };
    if ('completed' in notice) {
      const { level, reward, one_sided } = notice.completed;
      story = { kind: 'completed', level, reward, by, piles: COLOURS.map((colour) => ({ cards: piles[colour], turned: turned[colour] })), check, oneSided: one_sided };
    }
  }
  return story;
}

/** What is heard of a sight. */
export function cueOf(sight: ExtremeSight): Cue | null {
  if ('played' in sight) return 'card';
  return 'notice' in sight ? cueOfNotice(sight.notice) : null;
}
