import { cue, type Cue } from '../lib/sound';

/** How long a scene is shown, and what is heard and felt as it begins. */
export interface Beat {
  ms: number;
  cue: Cue | null;
}

/** A press that was meant for play does not end a moment that has just begun. */
const PRESS_MS_LEAST = 350;

const NOTHING_HEARD: ReadonlySet<Cue | null> = new Set();

/** What is told at the table right now: one scene at a time, until the last is over or a press ends it. */
export class Moment<Scene> {
  #beatOf: (scene: Scene) => Beat;
  #scenes = $state.raw<Scene[]>([]);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #begunAt = 0;
  #last: Cue | null = null;
  #heard: ReadonlySet<Cue | null> = NOTHING_HEARD;

  constructor(beatOf: (scene: Scene) => Beat) {
    this.#beatOf = beatOf;
  }

  readonly scene: Scene | null = $derived(this.#scenes[0] ?? null);

  /** `last` is heard when the scenes are over, with what is shown then; what was `heard` already is not heard again. */
  tell(scenes: Scene[], last: Cue | null = null, heard: ReadonlySet<Cue | null> = NOTHING_HEARD): void {
    this.#begunAt = performance.now();
    this.#last = last;
    this.#heard = heard;
    this.#show(scenes);
  }

  /** Any press goes on to what comes after the moment. */
  press(): void {
    if (performance.now() - this.#begunAt >= PRESS_MS_LEAST) this.#show([]);
  }

  /** The game is no longer drawn: nothing else is shown or heard. */
  leave(): void {
    this.tell([]);
  }

  #show(scenes: Scene[]): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#scenes = scenes;
    const [first, ...rest] = scenes;
    const beat = first ? this.#beatOf(first) : { ms: 0, cue: this.#last };
    this.#timer = first ? setTimeout(() => this.#show(rest), beat.ms) : null;
    if (!first) this.#last = null;
    if (beat.cue && !this.#heard.has(beat.cue)) cue(beat.cue);
  }
}
