import type { Cue } from '../../lib/sound';
import { cueOfNotice } from '../family/cue';
import type { ExtremeByColour, ExtremeSight, Face, SeenPile, Table } from '../../wire.gen';
import { laid, ownedColours, type OwnedCard } from '../family/face';
import { readPile, readSeen } from '../family/seen';
import type { Landing } from '../family/scene';
import type { Check, Incident, Story } from '../family/story';

const COLOURS = ['white', 'red'] as const;

/**
 * What the sights of one update leave to look at: a story, `null` when play goes on, or
 * `undefined` if what was shown before still stands. `before` are the piles before them.
 */
export function storyOf(sights: ExtremeSight[], before: ExtremeByColour<SeenPile>, table: Table): Story | null | undefined {
  let story: Story | null | undefined;
  let by: Incident | null = null;
  const piles: ExtremeByColour<OwnedCard[]> = {
    white: readPile(before.white, 'white'),
    red: readPile(before.red, 'red'),
  };
  let last: OwnedCard | undefined;
  const turned = { white: false, red: false };
  let mistakes = 0;
  let check: Check | null = null;
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
    if ('checked' in notice) {
      check = { mistakes, cost: notice.checked.cost };
      const laidPiles = COLOURS.filter((colour) => turned[colour]).map((colour) => ({ cards: piles[colour], turned: true }));
      story = { kind: 'turned', piles: laidPiles, check };
    }
    if ('completed' in notice) {
      const { level, reward, one_sided } = notice.completed;
      story = {
        kind: 'completed',
        level,
        reward,
        by,
        piles: COLOURS.map((colour) => ({ cards: piles[colour], turned: turned[colour] })),
        check,
        oneSided: one_sided,
      };
    }
  }
  return story;
}

/** The card that was laid last in an update, on its pile; `null` if none was. */
export function landingOf(sights: ExtremeSight[], before: ExtremeByColour<SeenPile>, faces: ExtremeByColour<Face>): Landing | null {
  const played = sights.flatMap((sight) => ('played' in sight ? [sight.played] : []));
  const last = played.at(-1);
  if (!last) return null;
  const same = played.filter(({ colour }) => colour === last.colour).map(({ card }) => readSeen(card, last.colour));
  const wrong = sights.some((sight) => 'notice' in sight && typeof sight.notice === 'object' && 'erred' in sight.notice);
  return {
    pile: [...readPile(before[last.colour], last.colour), ...same],
    colour: last.colour,
    blind: faces[last.colour] === 'blind',
    wrong,
  };
}

/** What is heard of a sight. */
export function cueOf(sight: ExtremeSight): Cue | null {
  if ('played' in sight) return 'card';
  return 'notice' in sight ? cueOfNotice(sight.notice) : null;
}
