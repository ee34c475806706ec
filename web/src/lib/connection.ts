import { PROTOCOL } from '../wire.gen';
import { problemOf, type Problem } from './problem';
import type { ClientMessage, Code, Command, CloseReason, GameId, AudienceRequest, Reaction, Request, ServerMessage } from '../wire.gen';

/** The part of a WebSocket that is used, so that tests can hand in another. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Parts {
  socket(): Socket;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  /** Between 0 and 1. */
  random(): number;
  /** Whether the server knows who we are; asked when it does not let us in. */
  known(): Promise<boolean>;
}

/** How it stands with the server. `blocked`, `nameless`, `outdated` and `closed` do not mend by waiting. */
export type ConnectionState = 'closed' | 'connecting' | 'open' | 'waiting' | 'crowded' | 'blocked' | 'nameless' | 'outdated';

export interface Ears {
  link(link: ConnectionState): void;
  message(message: ServerMessage): void;
}

/** What became of a message: done, or the refusal. */
export type Answer = null | Problem;

type Numbered = Extract<ClientMessage, { id: number }>;
type Unnumbered = { [T in Numbered['t']]: Omit<Extract<Numbered, { t: T }>, 'id'> }[Numbered['t']];
interface Pending {
  message: Numbered;
  settle(answer: Answer): void;
}
/** A game that is looked at together: the key of its link, and who hears whether one was let in. */
interface Attended {
  key: string | null;
  heard(answer: Answer): void;
}

const WAIT_MS_LEAST = 400;
const WAIT_MS_MOST = 15_000;
const WAIT_MS_CROWDED = 10_000;
const PROOF_MS = 3_000;

/**
 * One socket to the server, kept alive by hello, joins and retries.
 *
 * Messages that no answer has come for are sent again after a reconnection with the number they
 * had, so that the server can tell that they are the same.
 */
export class Connection {
  #parts: Parts;
  #ears: Ears;
  #client: number;
  #link: ConnectionState = 'closed';
  #socket: Socket | null = null;
  #farewell: CloseReason | null = null;
  /** The tables by their ids, and the code that leads to each. */
  #tables = new Map<Code, Code>();
  #games = new Map<GameId, Attended>();
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #failures = 0;
  #timer: unknown = null;
  #proof: unknown = null;

  constructor(parts: Parts, ears: Ears) {
    this.#parts = parts;
    this.#ears = ears;
    this.#client = Math.floor(parts.random() * 2 ** 32);
  }

  get link(): ConnectionState {
    return this.#link;
  }

  /** The number of this page, as in its hello. */
  get client(): number {
    return this.#client;
  }

  /** The number of the message that was sent last. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Connects, or connects again at once instead of waiting on. */
  open(): void {
    if (this.#link === 'connecting' || this.#link === 'open') return;
    this.#connect();
  }

  close(): void {
    this.#rest();
    this.#drop();
    this.#turn('closed');
  }

  /** Looks at a table. Its code is its id, unless the server says otherwise (`found`). */
  join(table: Code): void {
    this.#tables.set(table, this.#tables.get(table) ?? table);
    if (this.#link === 'open') this.#send({ t: 'join', table: this.#tables.get(table)! });
  }

  /** This code leads to the table from now on: the next reconnection joins by it. */
  joinBy(table: Code, code: Code): void {
    if (this.#tables.has(table)) this.#tables.set(table, code);
  }

  leave(table: Code): void {
    this.#tables.delete(table);
    this.#forget((message) => 'table' in message && message.table === table);
    if (this.#link === 'open') this.#send({ t: 'leave', table });
  }

  /** Looks at a game that is over together with others; `heard` is told each time it is asked again. */
  attend(game: GameId, key: string | null, heard: (answer: Answer) => void): void {
    this.#games.set(game, { key, heard });
    if (this.#link === 'open') this.#attend(game);
  }

  depart(game: GameId): void {
    this.#games.delete(game);
    this.#forget((message) => 'game' in message && message.game === game);
    if (this.#link === 'open') this.#send({ t: 'depart', game });
  }

  askAudience(game: GameId, request: AudienceRequest): Promise<Answer> {
    return this.#ask({ t: 'audience-request', game, request });
  }

  do(table: Code, seq: number, pressed: number, command: Command): Promise<Answer> {
    return this.#ask({ t: 'do', table, seq, pressed, command });
  }

  ask(table: Code, request: Request): Promise<Answer> {
    return this.#ask({ t: 'ask', table, request });
  }

  say(table: Code, text: string): Promise<Answer> {
    return this.#ask({ t: 'say', table, text });
  }

  react(table: Code, sign: Reaction): Promise<Answer> {
    return this.#ask({ t: 'react', table, sign });
  }

  /** Sends a message that has no answer, if the socket is open. */
  tell(message: Extract<ClientMessage, { t: 'probe' | 'away' }>): void {
    if (this.#link === 'open') this.#send(message);
  }

  /**
   * The page was asleep or the network came back: a socket that looks open may be long dead, so it
   * has to prove itself, and one that waits need not wait any longer.
   */
  wake(): void {
    if (this.#link === 'waiting') {
      this.#connect();
    } else if (this.#link === 'open' && this.#proof === null) {
      this.#joinAll();
      for (const game of this.#games.keys()) this.#attend(game);
      if (this.#tables.size + this.#games.size === 0) return;
      this.#proof = this.#parts.setTimeout(() => {
        this.#proof = null;
        this.#drop();
        this.#connect();
      }, PROOF_MS);
    }
  }

  #ask(body: Unnumbered): Promise<Answer> {
    const message = { ...body, id: ++this.#lastId } as Numbered;
    return new Promise((settle) => {
      this.#pending.set(message.id, { message, settle });
      if (this.#link === 'open') this.#send(message);
    });
  }

  #connect(): void {
    this.#rest();
    this.#drop();
    this.#farewell = null;
    this.#turn('connecting');
    const socket = this.#parts.socket();
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ t: 'hello', protocol: PROTOCOL, client: this.#client }));
    };
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = () => void this.#closed(socket);
  }

  #hear(message: ServerMessage): void {
    this.#proven();
    if (message.t === 'welcome') {
      this.#failures = 0;
      this.#turn('open');
      this.#joinAll();
      // A leader's playback from before the reconnection is stale: do not send it again.
      this.#forget(
        (message) =>
          message.t === 'attend' || (message.t === 'audience-request' && typeof message.request === 'object' && 'lead' in message.request),
      );
      const unanswered = [...this.#pending.values()];
      for (const game of this.#games.keys()) this.#attend(game);
      for (const { message } of unanswered) this.#send(message);
    }
    if (message.t === 'found') this.#found(message.code, message.table);
    if (message.t === 'bye') this.#farewell = message.why;
    this.#ears.message(message);
    if ((message.t === 'update' || message.t === 'audience') && message.ack != null) this.#settle(message.ack, null);
    if (message.t === 'refused' && message.id !== null) {
      this.#settle(message.id, problemOf(message));
    }
    if (message.t === 'said') this.#settleFirst((sent) => sent.t === 'say' && sent.table === message.table && sent.text === message.text);
    if (message.t === 'reacted') {
      this.#settleFirst((sent) => sent.t === 'react' && sent.table === message.table && sent.sign === message.sign);
    }
  }

  #joinAll(): void {
    for (const table of this.#tables.values()) this.#send({ t: 'join', table });
  }

  /** The code of a join leads to a table with another id. */
  #found(code: Code, table: Code): void {
    if (this.#tables.has(table)) return;
    // The page left before the answer came.
    if (!this.#tables.delete(code)) return this.#send({ t: 'leave', table });
    this.#tables.set(table, code);
  }

  #attend(game: GameId): void {
    const attended = this.#games.get(game);
    if (attended) void this.#ask({ t: 'attend', game, key: attended.key }).then((answer) => attended.heard(answer));
  }

  /** Gives up what no answer has come for. */
  #forget(which: (message: Numbered) => boolean): void {
    for (const [id, { message, settle }] of this.#pending) {
      if (!which(message)) continue;
      this.#pending.delete(id);
      settle(null);
    }
  }

  #settle(id: number, answer: Answer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.settle(answer);
  }

  /** A line or a sign that is taken has no number in its answer; it is the first that says the same. */
  #settleFirst(isIt: (message: Numbered) => boolean): void {
    for (const [id, { message }] of this.#pending) {
      if (isIt(message)) return this.#settle(id, null);
    }
  }

  async #closed(socket: Socket): Promise<void> {
    if (socket !== this.#socket) return;
    const entered = this.#link === 'open';
    this.#proven();
    this.#socket = null;
    switch (this.#farewell) {
      case 'protocol':
        return this.#turn('outdated');
      case 'deleted':
      case 'signed-out':
        return this.#turn('nameless');
      case 'blocked':
        return this.#turn('blocked');
      case 'crowded':
        return this.#wait('crowded', WAIT_MS_CROWDED);
      case null:
      case 'restarting':
      case 'slow':
      case 'idle':
      case 'flooding':
      case 'too-long':
    }
    const most = Math.min(WAIT_MS_MOST, WAIT_MS_LEAST * 2 ** this.#failures);
    this.#failures += 1;
    this.#wait('waiting', most * (0.5 + this.#parts.random() / 2));
    // A page cannot read why an upgrade was turned down.
    if (!entered && !(await this.#parts.known()) && this.#link === 'waiting') {
      this.#rest();
      this.#turn('nameless');
    }
  }

  #wait(link: ConnectionState, ms: number): void {
    this.#turn(link);
    this.#timer = this.#parts.setTimeout(() => this.#connect(), ms);
  }

  #rest(): void {
    if (this.#timer !== null) this.#parts.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #proven(): void {
    if (this.#proof !== null) this.#parts.clearTimeout(this.#proof);
    this.#proof = null;
  }

  #drop(): void {
    this.#proven();
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #turn(link: ConnectionState): void {
    if (this.#link === link) return;
    this.#link = link;
    this.#ears.link(link);
  }
}
