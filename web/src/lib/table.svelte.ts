import type { Code, Command, Reaction, Request, Seat, Sight, Update } from '../wire.gen';
import { rememberCommitment } from './commitments';
import { complete, type WholeUpdate } from './complete';
import type { Answer, Connection } from './connection';
import { ShowQueue } from './showqueue';
import { withoutHolds, withUnreported } from './sights';
import type { Problem } from './problem';
import type { Timekeeper } from './timekeeper';

/** A chat message. */
export interface ChatMessage {
  id: number;
  seat: Seat | null;
  name: string;
  text: string;
}

/** A sign that a player has sent, for as long as it is shown. */
export interface ShownSign {
  id: number;
  seat: Seat;
  name: string;
  sign: Reaction;
}

/** A refusal; `id` tells two with the same words apart. */
export type Refusal = Problem & { id: number };

/** Hears when an update of a table is on the page, and which moves are sent. */
export interface TableObserver {
  shown(table: Code, seq: number): void;
  /** A move was sent: by which page, and under which number. */
  pressed(table: Code, client: number, id: number): void;
}

const LINES_MOST = 100;
/** How many signs are shown at once, and for how long. */
const SIGNS_MOST = 4;
const SIGN_MS = 4_000;

/** One table as the last update told it, and the way to answer it. */
export class TableState {
  /** The table's id: the code that it was opened with. Its games and messages are named by it. */
  id: Code;
  #connection: Connection;
  #time: Timekeeper;
  #queue: ShowQueue<Update>;
  #count = 0;

  update = $state.raw<WholeUpdate | null>(null);
  /** What the last update brought to animate and announce, and what came while the game was still being fetched. */
  sights = $state.raw<Sight[]>([]);
  lines = $state.raw<ChatMessage[]>([]);
  signs = $state.raw<ShownSign[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  /** There is no table of this code, or it cannot be joined: why. */
  closed = $state.raw<Refusal | null>(null);
  #waiting = $state(0);
  #hasJoined!: () => void;
  /** Takes notes for a study; at other tables there is none. */
  observer: TableObserver | null = null;
  /** Resolves when the first update has come. */
  readonly joined = new Promise<void>((resolve) => (this.#hasJoined = resolve));

  constructor(connection: Connection, time: Timekeeper, id: Code) {
    this.#connection = connection;
    this.#time = time;
    this.id = id;
    this.#queue = new ShowQueue((update) => this.#show(update));
  }

  /** Where this viewer sits; `null` for a spectator. */
  readonly seat: Seat | null = $derived(this.update?.seat ?? null);

  /** Whether something was sent that no answer has come for. */
  readonly pending: boolean = $derived(this.#waiting > 0);

  /** An update is shown when all players can have it; the first one after joining is shown at once. */
  hear(update: Update): void {
    this.#queue.put(update, this.update === null ? 0 : this.#time.showing(update.show_at));
  }

  /** The page leaves the table. */
  leave(): void {
    this.#queue.clear();
  }

  #show(update: Update): void {
    const whole = complete(update, this.update);
    // It was on its way when the page left the table before; the answer to the joining follows.
    if (!whole) return;
    this.closed = null;
    this.update = whole;
    this.#connection.joinBy(this.id, whole.table.code);
    rememberCommitment(this.id, whole.table);
    this.sights = withUnreported(this.sights, withoutHolds(whole.sights, whole.table));
    this.#hasJoined();
    this.observer?.shown(this.id, whole.seq);
  }

  hearSaid(seat: Seat | null, name: string, text: string): void {
    this.lines = [...this.lines, { id: ++this.#count, seat, name, text }].slice(-LINES_MOST);
  }

  hearReacted(seat: Seat, name: string, sign: Reaction): void {
    const id = ++this.#count;
    this.signs = [...this.signs, { id, seat, name, sign }].slice(-SIGNS_MOST);
    setTimeout(() => (this.signs = this.signs.filter((shown) => shown.id !== id)), SIGN_MS);
  }

  /** The joining itself was refused. */
  hearClosed(problem: Problem): void {
    this.closed = { ...problem, id: ++this.#count };
  }

  act(command: Command, pressed: number): Promise<Answer> {
    const seq = this.update?.seq ?? 0;
    const answer = this.#connection.do(this.id, seq, this.#time.pressed(pressed), command);
    this.observer?.pressed(this.id, this.#connection.client, this.#connection.lastId);
    return this.#wait(answer);
  }

  /** What the server's clock showed at a time of ours; `null` if its time is not known yet. */
  serverTime(local: number): number | null {
    return this.#time.serverTime(local);
  }

  /** Asks to be let in again, after the joining was refused. */
  tryAgain(): void {
    this.#connection.join(this.id);
  }

  ask(request: Request): Promise<Answer> {
    return this.#wait(this.#connection.ask(this.id, request));
  }

  /** The same for a caller that shows the refusal itself. */
  askQuietly(request: Request): Promise<Answer> {
    return this.#connection.ask(this.id, request);
  }

  say(text: string): Promise<Answer> {
    return this.#wait(this.#connection.say(this.id, text));
  }

  react(sign: Reaction): Promise<Answer> {
    return this.#wait(this.#connection.react(this.id, sign));
  }

  async #wait(answer: Promise<Answer>): Promise<Answer> {
    this.#waiting += 1;
    try {
      const refusal = await answer;
      if (refusal) this.refusal = { ...refusal, id: ++this.#count };
      // What was done is done for the player when everyone sees it.
      await this.#queue.settled();
      return refusal;
    } finally {
      this.#waiting -= 1;
    }
  }
}
