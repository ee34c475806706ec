import type { ExtremeColour, Reward, Seat } from '../../wire.gen';
import type { Placed } from './face';
import type { Check, Incident, LaidPile, Story } from './story';

/** The card that a story begins with, on its pile. */
export interface Landing {
  pile: Placed[];
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
  | { kind: 'stopped'; seat: Seat }
  | { kind: 'turned'; piles: LaidPile[]; check: Check | null }
  /** All cards lay, and not in order: the attempt is over (Soulmates). `null` if the game is over, too. */
  | { kind: 'failed'; lives: number | null }
  | { kind: 'completed'; level: number; reward: Reward; oneSided: 'white' | 'red' | null };

const LANDED_MS = 750;
const ERRED_MS = 3_000;
const STARRED_MS = 2_200;
const STOPPED_MS = 1_300;
const COMPLETED_MS = 1_700;
const FAILED_MS = 2_400;
/** The cards of a pile turn one by one, and then stand for a while. */
const TURNING_MS_MOST = 1_900;
const TURN_MS_MOST = 350;
const TURNED_MS = 1_100;
/** A press that was meant for play does not end a moment that has just begun. */
const PRESS_MS_LEAST = 350;

/** What a story is told with, in order. */
export function scenesOf(story: Story, landing: Landing | null): Scene[] {
  const first: Scene[] = landing ? [{ kind: 'landed', landing }] : [];
  switch (story.kind) {
    case 'stopped':
      return [story];
    case 'erred':
    case 'starred':
      return [...first, story];
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

export function lastsMs(scene: Scene): number {
  switch (scene.kind) {
    case 'landed':
      return LANDED_MS;
    case 'erred':
      return ERRED_MS;
    case 'starred':
      return STARRED_MS;
    case 'stopped':
      return STOPPED_MS;
    case 'turned':
      return turnMs(scene.piles) * Math.max(...scene.piles.map(({ cards }) => cards.length)) + TURNED_MS;
    case 'failed':
      return FAILED_MS;
    case 'completed':
      return COMPLETED_MS;
  }
}

/** What is told at the table right now: one scene at a time, until the last is over or a press ends it. */
export class Moment {
  #scenes = $state.raw<Scene[]>([]);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #begunAt = 0;

  readonly scene: Scene | null = $derived(this.#scenes[0] ?? null);

  tell(scenes: Scene[]): void {
    this.#begunAt = performance.now();
    this.#show(scenes);
  }

  /** Any press goes on to what comes after the moment. */
  press(): void {
    if (performance.now() - this.#begunAt >= PRESS_MS_LEAST) this.end();
  }

  end(): void {
    this.#show([]);
  }

  #show(scenes: Scene[]): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#scenes = scenes;
    const [first, ...rest] = scenes;
    this.#timer = first ? setTimeout(() => this.#show(rest), lastsMs(first)) : null;
  }
}
