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

/** Set where one life is left after a scene that took one. */
interface LastLife {
  last?: true;
}

/** One picture with one message. A moment is a few of them, one after the other. */
export type Scene =
  /** All hands were lifted together, and play begins. It lies over the table while cards can be played. */
  | { kind: 'lifted'; seats: Seat[] }
  | { kind: 'landed'; landing: Landing }
  | (Incident & LastLife)
  | CloseCall
  | { kind: 'stopped'; seat: Seat }
  | { kind: 'turned'; piles: LaidPile[]; check: Check | null }
  /** All cards lay, and not in order: the attempt is over (Soulmates). `null` if the game is over, too. */
  | { kind: 'failed'; lives: number | null }
  /** The same cards were dealt again after a wrong order (Soulmates). */
  | { kind: 'dealt'; hands: { seat: Seat; count: number }[]; attempt: number }
  | ({ kind: 'completed'; level: number; reward: Reward; oneSided: 'white' | 'red' | null } & LastLife);

/** What a moment has to know beside its story: how the table stands after it. */
export interface After {
  /** Whose hands were lifted, if play has just begun. */
  begun: Seat[] | null;
  lives: number;
}

const LIFTED_MS = 1_100;
const LANDED_MS = 750;
const ERRED_MS = 3_000;
const CLOSE_MS = 2_600;
const STARRED_MS = 2_200;
const STOPPED_MS = 1_300;
const COMPLETED_MS = 1_700;
const FAILED_MS = 2_400;
const DEALT_MS = 1_800;
/** The cards of a pile turn one by one, and then stand for a while. */
const TURNING_MS_MOST = 1_900;
const TURN_MS_MOST = 350;
const TURNED_MS = 1_100;

/** What a story is told with, in order. When play goes on, only the hands that were lifted are. */
export function scenesOf(story: Story | null, landing: Landing | null, { begun, lives }: After): Scene[] {
  if (story === null) return begun ? [{ kind: 'lifted', seats: begun }] : [];
  const last: LastLife = lives === 1 ? { last: true } : {};
  const first: Scene[] = landing ? [{ kind: 'landed', landing }] : [];
  switch (story.kind) {
    case 'stopped':
      return [story];
    case 'erred':
      return [...first, { ...story, ...last }];
    case 'starred':
    case 'turned':
      return [...first, story];
    case 'completed': {
      const { level, reward, oneSided, by, piles, check } = story;
      const turned = piles.filter((pile) => pile.turned);
      return [
        ...first,
        ...(by?.kind === 'erred' ? [{ ...by, ...last }] : by ? [by] : []),
        ...(turned.length > 0 ? [{ kind: 'turned' as const, piles: turned, check }] : []),
        { kind: 'completed', level, reward, oneSided, ...(check && check.cost > 0 ? last : {}) },
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
    // Heard when play began.
    case 'lifted':
      return { ms: LIFTED_MS, cue: null };
    // The card was heard when it was laid.
    case 'landed':
      return { ms: LANDED_MS, cue: null };
    case 'close':
      return { ms: CLOSE_MS, cue: 'close' };
    case 'erred':
      return { ms: ERRED_MS, cue: scene.last ? 'last-life' : 'mistake' };
    case 'starred':
      return { ms: STARRED_MS, cue: 'star' };
    case 'stopped':
      return { ms: STOPPED_MS, cue: 'stop' };
    case 'turned':
      return { ms: turnMs(scene.piles) * Math.max(...scene.piles.map(({ cards }) => cards.length)) + TURNED_MS, cue: 'turn' };
    case 'failed':
      return { ms: FAILED_MS, cue: scene.lives === 0 ? 'last-life' : 'mistake' };
    case 'dealt':
      return { ms: DEALT_MS, cue: 'deal' };
    case 'completed':
      return { ms: COMPLETED_MS, cue: scene.last ? 'last-life' : 'complete' };
  }
}
