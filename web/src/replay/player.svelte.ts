import { tick } from 'svelte';
import type { Frame, Replay, Sight } from '../wire.gen';
import { chapters, framesOf, indexAt, shownTo, type Eyes } from './timeline';

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** Where in a game one is and how it goes on. */
export interface Place {
  /** In microseconds since the game began. */
  at: number;
  index: number;
  playing: boolean;
  speed: Speed;
  eyes: Eyes;
}

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
  eyes = $state<Eyes>('spectator');

  /** What is drawn: the frame, and what it brought. A new array each time, so that it is told each time. */
  scene = $state.raw<{ index: number; sights: Sight[] }>({ index: 0, sights: [] });
  /** Counts how often the game was drawn anew: what it remembers of earlier moments is wrong after a jump. */
  drawn = $state(0);

  /** Where the viewer wants to be while others are on their way there, too. */
  wanted = $state.raw<Place | null>(null);
  /** Takes what the viewer does. For a viewer who watches alone it happens at once. */
  helm: (place: Place) => void = (place) => this.go(place);

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

  /** Where one is, or is about to be. */
  get place(): Place {
    const { at, index, playing, speed, eyes } = this;
    return this.wanted ?? { at, index, playing, speed, eyes };
  }

  /** The chapter that is on, by its place among them. */
  get chapter(): number {
    const after = this.chapters.findIndex(({ index }) => index > this.index);
    return (after < 0 ? this.chapters.length : after) - 1;
  }

  play(): void {
    const { place } = this;
    const start = place.at >= this.end ? this.#at(0) : {};
    this.helm({ ...place, ...start, playing: true });
  }

  pause(): void {
    this.helm({ ...this.place, playing: false });
  }

  toTime(at: number): void {
    const to = Math.max(0, Math.min(this.end, at));
    this.helm({ ...this.place, at: to, index: indexAt(this.frames, to) });
  }

  toIndex(index: number): void {
    this.helm({ ...this.place, ...this.#at(index) });
  }

  /** Moves on by that number of moves and stops there. */
  step(by: number): void {
    const { place } = this;
    this.helm({ ...place, ...this.#at(place.index + by), playing: false });
  }

  toChapter(by: -1 | 1): void {
    const begun = this.chapters[this.chapter]?.index ?? 0;
    // Back goes to the beginning first, as on any player.
    const target = by < 0 && this.index > begun ? this.chapter : this.chapter + by;
    const chapter = this.chapters[Math.max(0, target)];
    this.toIndex(chapter?.index ?? this.frames.length - 1);
  }

  see(eyes: Eyes): void {
    this.helm({ ...this.place, eyes });
  }

  run(speed: Speed): void {
    this.helm({ ...this.place, speed });
  }

  /** Goes there: a move further shows what it brought, anything else is drawn anew. */
  go({ at, index, playing, speed, eyes }: Place): void {
    const next = index === this.index + 1 && at === this.frames[index]?.at && eyes === this.eyes;
    const same = index === this.index && eyes === this.eyes;
    this.eyes = eyes;
    this.speed = speed;
    this.playing = playing && at < this.end;
    if (next) {
      this.at = at;
      this.#show(index);
    } else if (same) {
      this.at = at;
    } else {
      this.#jump(at, Math.max(0, Math.min(this.frames.length - 1, index)));
    }
  }

  /** Lets so much time of the person who watches pass. */
  pass(ms: number): void {
    this.reach(this.at + ms * 1_000 * this.speed);
  }

  /** Goes on to that time of the game, if it lies ahead, and shows what happens until then. */
  reach(at: number): void {
    this.at = Math.max(this.at, Math.min(this.end, at));
    const index = indexAt(this.frames, this.at);
    if (index > this.index) this.#show(index);
    if (this.at >= this.end) this.playing = false;
  }

  #at(index: number): { at: number; index: number } {
    const wanted = Math.max(0, Math.min(this.frames.length - 1, index));
    return { at: this.frames[wanted]!.at, index: wanted };
  }

  #show(index: number): void {
    const sights = this.#sights(this.index + 1, index);
    this.index = index;
    this.scene = { index, sights };
  }

  #jump(at: number, wanted: number): void {
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
