import type { Playback, GameId, AudienceRequest, ServerMessage } from '../wire.gen';
import type { Answer, Connection } from './connection';
import { ShowQueue } from './showqueue';
import type { ChatMessage, Refusal } from './table.svelte';
import type { Timekeeper } from './timekeeper';

type AudienceMessage = Extract<ServerMessage, { t: 'audience' }>;

/** Where the leader is, and when that was so on the server's clock. */
export interface Led {
  playback: Playback;
  since: number;
}

const LINES_MOST = 100;

/** The audience of a replay as the server last sent it, and the requests to it. */
export class AudienceState {
  readonly game: GameId;
  #connection: Connection;
  #time: Timekeeper;
  #queue: ShowQueue<AudienceMessage>;
  #count = 0;

  latest = $state.raw<AudienceMessage | null>(null);
  lines = $state.raw<ChatMessage[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  /** Whether this viewer watches alone, although another person leads. */
  strays = $state(false);

  readonly me = $derived(this.latest?.members.find(({ you }) => you) ?? null);
  readonly leader = $derived(this.latest?.members.find(({ number }) => number === this.latest?.lead) ?? null);
  readonly leads = $derived(this.me !== null && this.leader === this.me);
  /** The leader's playback to follow; `null` for a viewer who watches alone. */
  readonly led: Led | null = $derived(
    this.latest?.playback && !this.strays ? { playback: this.latest.playback, since: this.latest.show_at } : null,
  );

  constructor(connection: Connection, time: Timekeeper, game: GameId) {
    this.#connection = connection;
    this.#time = time;
    this.game = game;
    this.#queue = new ShowQueue((message) => (this.latest = message));
  }

  /** The server sends a move ahead of its time, so that all viewers make it at the same instant. */
  hear(message: AudienceMessage): void {
    this.#queue.put(message, this.latest === null || message.playback === null ? 0 : this.#time.showing(message.show_at));
  }

  hearRemark(name: string, text: string): void {
    this.lines = [...this.lines, { id: ++this.#count, seat: null, name, text }].slice(-LINES_MOST);
  }

  /** The answer to joining. After a reconnection the server has forgotten that this viewer watches alone. */
  hearAnswer(refusal: Answer): void {
    if (refusal) this.refusal = { ...refusal, id: ++this.#count };
    else if (this.strays) void this.ask('unfollow');
  }

  /** Without a connection the viewer watches alone. */
  lost(): void {
    this.#queue.clear();
    this.latest = null;
  }

  /** How far a playback that goes on by itself has come, in microseconds; `null` if it is not known. */
  position({ playback, since }: Led): number | null {
    const ms = this.#time.since(since);
    return ms === null ? null : playback.at + Math.max(0, ms) * 1_000 * TIMES[playback.speed];
  }

  async ask(request: AudienceRequest): Promise<Answer> {
    const refusal = await this.#connection.askAudience(this.game, request);
    if (refusal) this.refusal = { ...refusal, id: ++this.#count };
    return refusal;
  }

  unfollow(): void {
    this.strays = true;
    void this.ask('unfollow');
  }

  follow(): void {
    this.strays = false;
    void this.ask('follow');
  }
}

/** By how much each speed is faster than it was. */
export const TIMES = { half: 0.5, true: 1, double: 2, fourfold: 4, eightfold: 8 } as const;
