import type { Course, GameId, Gesture, ServerMessage } from '../wire.gen';
import type { Answer, Connection } from './connection';
import { Shelf } from './shelf';
import type { Line, Refusal } from './table.svelte';
import type { Timekeeper } from './timekeeper';

type Told = Extract<ServerMessage, { t: 'audience' }>;

/** Where the leader is, and when that was so on the server's clock. */
export interface Led {
  course: Course;
  since: number;
}

const LINES_MOST = 100;

/** Those who look at a game that is over, as they were told last, and the way to answer. */
export class AudienceState {
  readonly game: GameId;
  #connection: Connection;
  #time: Timekeeper;
  #shelf: Shelf<Told>;
  #count = 0;

  told = $state.raw<Told | null>(null);
  lines = $state.raw<Line[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  /** Whether one looks by oneself, whoever leads. */
  strays = $state(false);

  readonly me = $derived(this.told?.members.find(({ you }) => you) ?? null);
  readonly leader = $derived(this.told?.members.find(({ number }) => number === this.told?.lead) ?? null);
  readonly leads = $derived(this.me !== null && this.leader === this.me);
  /** Where to be: `null` for somebody who looks by themselves. */
  readonly led: Led | null = $derived(this.told?.course && !this.strays ? { course: this.told.course, since: this.told.show_at } : null);

  constructor(connection: Connection, time: Timekeeper, game: GameId) {
    this.#connection = connection;
    this.#time = time;
    this.game = game;
    const parts = {
      now: () => performance.now(),
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
      clearTimeout: (handle: unknown) => clearTimeout(handle as number),
    };
    this.#shelf = new Shelf(parts, (told) => (this.told = told));
  }

  /** All are told ahead of the moment, so that all go there at the same one. */
  hear(told: Told): void {
    this.#shelf.put(told, this.told === null || told.course === null ? 0 : this.#time.showing(told.show_at));
  }

  hearRemark(name: string, text: string): void {
    this.lines = [...this.lines, { id: ++this.#count, seat: null, name, text }].slice(-LINES_MOST);
  }

  /** Whether one was let in; after a reconnection the server has forgotten who looked by themselves. */
  hearAnswer(refusal: Answer): void {
    if (refusal) this.refusal = { id: ++this.#count, ...refusal };
    else if (this.strays) void this.gesture('stray');
  }

  /** Without a connection everybody looks by themselves. */
  lost(): void {
    this.#shelf.clear();
    this.told = null;
  }

  /** How far a course that goes on by itself has come, in microseconds; `null` if it is not known. */
  position({ course, since }: Led): number | null {
    const ms = this.#time.since(since);
    return ms === null ? null : course.at + Math.max(0, ms) * 1_000 * TIMES[course.speed];
  }

  async gesture(gesture: Gesture): Promise<Answer> {
    const refusal = await this.#connection.gesture(this.game, gesture);
    if (refusal) this.refusal = { id: ++this.#count, ...refusal };
    return refusal;
  }

  stray(): void {
    this.strays = true;
    void this.gesture('stray');
  }

  follow(): void {
    this.strays = false;
    void this.gesture('follow');
  }
}

/** By how much each speed is faster than it was. */
export const TIMES = { half: 0.5, true: 1, double: 2, fourfold: 4, eightfold: 8 } as const;
