import { tick } from 'svelte';
import type { Frame, Replay, Sight } from '../wire.gen';
import { chapters, framesOf, indexAt, shownTo, type Eyes } from './timeline';

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** Plays a game again: a clock that runs at a speed, and the last frame that it has passed. */
export class Player {
  readonly frames: Frame[];
  readonly chapters;
  /** How long the game took, in microseconds. */
  readonly end: number;

  /** Where the clock stands, in microseconds since the game began. */
  at = $state(0);
  index = $state(0);
  playing = $state(false);
  speed = $state<Speed>(1);
  eyes = $state<Eyes>('watcher');

  /** What is drawn: the frame, and what it brought. A new array each time, so that it is told each time. */
  scene = $state.raw<{ index: number; sights: Sight[] }>({ index: 0, sights: [] });
  /** Counts how often the game was drawn anew: what it remembers of earlier moments is wrong after a jump. */
  drawn = $state(0);

  constructor(replay: Replay, eyes: Eyes) {
    this.frames = framesOf(replay);
    this.chapters = chapters(this.frames);
    this.end = this.frames.at(-1)?.at ?? 0;
    this.eyes = eyes;
    this.scene = { index: 0, sights: this.#sights(0, 0) };
  }

  get frame(): Frame {
    return this.frames[this.scene.index]!;
  }

  /** The chapter that is on, by its place among them. */
  get chapter(): number {
    const after = this.chapters.findIndex(({ index }) => index > this.index);
    return (after < 0 ? this.chapters.length : after) - 1;
  }

  play(): void {
    if (this.at >= this.end) this.toIndex(0);
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
  }

  /** Lets so much time of the person who watches pass. */
  pass(ms: number): void {
    this.at = Math.min(this.end, this.at + ms * 1_000 * this.speed);
    const index = indexAt(this.frames, this.at);
    if (index > this.index) {
      const sights = this.#sights(this.index + 1, index);
      this.index = index;
      this.scene = { index, sights };
    }
    if (this.at >= this.end) this.playing = false;
  }

  toTime(at: number): void {
    this.#jump(Math.max(0, Math.min(this.end, at)));
  }

  toIndex(index: number): void {
    const wanted = Math.max(0, Math.min(this.frames.length - 1, index));
    const next = wanted === this.index + 1;
    this.at = this.frames[wanted]!.at;
    if (next) {
      this.index = wanted;
      this.scene = { index: wanted, sights: this.#sights(wanted, wanted) };
    } else {
      this.#jump(this.at, wanted);
    }
  }

  toChapter(by: -1 | 1): void {
    const begun = this.chapters[this.chapter]?.index ?? 0;
    // Back goes to the beginning first, as on any player.
    const target = by < 0 && this.index > begun ? this.chapter : this.chapter + by;
    const chapter = this.chapters[Math.max(0, target)];
    this.toIndex(chapter?.index ?? this.frames.length - 1);
  }

  see(eyes: Eyes): void {
    this.eyes = eyes;
    this.#jump(this.at, this.index);
  }

  #jump(at: number, wanted = indexAt(this.frames, at)): void {
    this.at = at;
    this.index = wanted;
    this.drawn += 1;
    // First as it was just before, so that what happened then is shown as it happened.
    this.scene = { index: Math.max(0, wanted - 1), sights: [] };
    const { drawn } = this;
    void tick().then(() => {
      if (drawn === this.drawn) this.scene = { index: this.index, sights: this.#sights(this.index, this.index) };
    });
  }

  #sights(from: number, to: number): Sight[] {
    return this.frames.slice(from, to + 1).flatMap((frame) => shownTo(frame, this.eyes).sights);
  }
}
