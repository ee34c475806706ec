import type { ExtremeColour, Reward, Seat } from '../../wire.gen';
import type { Beat } from '../moment.svelte';
import type { CloseCall } from './close';
import type { OwnedCard } from './face';
import type { Check, Incident, LaidPile, Story } from './story';

/** The card that a story begins with, on its pile. */
export interface Landing {
  pile: OwnedCard[];
  /** Of a pile of Extreme. */
  colour: ExtremeColour | null;
  /** Whether the pile lies face down. */
  blind: boolean;
  /** Whether it broke the order. */
  wrong: boolean;
}

/** One picture with one message. A moment is a few of them, one after the other. */
export type Scene =
  | { kind: 'landed'; landing: Landing }
  | Incident
  | CloseCall
  | { kind: 'stopped'; seat: Seat }
  | { kind: 'turned'; piles: LaidPile[]; check: Check | null }
  /** All cards lay, and not in order: the attempt is over (Soulmates). `null` if the game is over, too. */
  | { kind: 'failed'; lives: number | null }
  | { kind: 'completed'; level: number; reward: Reward; oneSided: 'white' | 'red' | null };

const LANDED_MS = 750;
const ERRED_MS = 3_000;
const CLOSE_MS = 2_600;
const STARRED_MS = 2_200;
const STOPPED_MS = 1_300;
const COMPLETED_MS = 1_700;
const FAILED_MS = 2_400;
/** The cards of a pile turn one by one, and then stand for a while. */
const TURNING_MS_MOST = 1_900;
const TURN_MS_MOST = 350;
const TURNED_MS = 1_100;

/** What a story is told with, in order; nothing when play goes on. */
export function scenesOf(story: Story | null, landing: Landing | null): Scene[] {
  if (story === null) return [];
  const first: Scene[] = landing ? [{ kind: 'landed', landing }] : [];
  switch (story.kind) {
    case 'stopped':
      return [story];
    case 'erred':
    case 'starred':
    case 'turned':
      return [...first, story];
    case 'completed': {
      const { level, reward, oneSided, by, piles, check } = story;
      const turned = piles.filter((pile) => pile.turned);
      return [
        ...first,
        ...(by ? [by] : []),
        ...(turned.length > 0 ? [{ kind: 'turned' as const, piles: turned, check }] : []),
        { kind: 'completed', level, reward, oneSided },
      ];
    }
  }
}

/** How long after the one before it a card of a pile turns. */
export function turnMs(piles: LaidPile[]): number {
  const most = Math.max(1, ...piles.map(({ cards }) => cards.length));
  return Math.min(TURN_MS_MOST, TURNING_MS_MOST / most);
}

export function beatOf(scene: Scene): Beat {
  switch (scene.kind) {
    // The card was heard when it was laid.
    case 'landed':
      return { ms: LANDED_MS, cue: null };
    case 'close':
      return { ms: CLOSE_MS, cue: 'close' };
    case 'erred':
      return { ms: ERRED_MS, cue: 'mistake' };
    case 'starred':
      return { ms: STARRED_MS, cue: 'star' };
    case 'stopped':
      return { ms: STOPPED_MS, cue: 'stop' };
    case 'turned':
      return { ms: turnMs(scene.piles) * Math.max(...scene.piles.map(({ cards }) => cards.length)) + TURNED_MS, cue: 'turn' };
    case 'failed':
      return { ms: FAILED_MS, cue: 'mistake' };
    case 'completed':
      return { ms: COMPLETED_MS, cue: 'complete' };
  }
}
