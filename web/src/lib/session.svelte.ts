import type { Code, GameId, Mark, Me, Quality, ServerMessage } from '../wire.gen';
import * as api from './api';
import { AudienceState } from './audience.svelte';
import { linkTo } from './base';
import { Connection, type ConnectionState, type Socket } from './connection';
import { problemOf } from './problem';
import { TableState } from './table.svelte';
import { Timekeeper } from './timekeeper';

/** Who we are to the server, the one connection, and the tables we look at. */
class Session {
  /** `undefined` until the server has been asked. */
  me = $state.raw<Me | null | undefined>(undefined);
  link = $state<ConnectionState>('closed');
  /** What the operator has announced, until it is closed. */
  announcement = $state<string | null>(null);
  /** What the server has measured of our connection. */
  quality = $state.raw<Quality | null>(null);
  /** How many of our presses over this connection counted later than we said. */
  corrected = $state.raw(0);
  #tables = new Map<Code, TableState>();
  #audiences = new Map<GameId, AudienceState>();
  #connection = new Connection(
    {
      socket: () => new WebSocket(linkTo('/ws').replace(/^http/, 'ws')) as Socket,
      setTimeout: (run, ms) => setTimeout(run, ms),
      clearTimeout: (handle) => clearTimeout(handle as number),
      random: Math.random,
      known: async () => (await this.meet()) !== null,
    },
    { link: (link) => this.#turn(link), message: (message) => this.#hear(message) },
  );

  #time = new Timekeeper({
    now: () => performance.now(),
    setTimeout: (run, ms) => setTimeout(run, ms),
    clearTimeout: (handle) => clearTimeout(handle as number),
    send: (message) => this.#connection.tell(message),
    unsure: (unsure) => {
      this.#unsure = unsure;
      this.#tellAway(performance.now());
    },
  });
  #hidden = document.visibilityState === 'hidden';
  /** Whether our clock has stepped, as it does on a device that has slept, and is not known again. */
  #unsure = false;
  /** What the server knows of both. */
  #away = false;

  /** Asks the server who we are. */
  async meet(): Promise<Me | null | undefined> {
    const me = await api.me();
    // Without an answer nothing is known that was not known before.
    if (me !== undefined) this.me = me;
    return me;
  }

  /** Takes a name, and a mark if one is chosen; gives back what is wrong with them, if anything. */
  async name(name: string, mark: Mark | null = null): Promise<api.Problem | null> {
    const answer = await api.name(name, mark);
    if ('code' in answer) return answer;
    this.me = answer;
    if (this.link === 'nameless') this.#connection.open();
    return null;
  }

  /** This device was signed in as another person: the connection is opened again as them. */
  signedIn(me: Me): void {
    this.me = me;
    const wasUsed = this.link !== 'closed';
    this.#connection.close();
    if (wasUsed) this.#connection.open();
  }

  /** Has the server forget us; gives back what is wrong, if anything. */
  async forget(): Promise<api.Problem | null> {
    const problem = await api.forget();
    if (!problem) this.me = null;
    return problem;
  }

  /** Looks at a table until the returned function is called. */
  look(code: Code): { table: TableState; leave: () => void } {
    const table = new TableState(this.#connection, this.#time, code);
    this.#tables.set(code, table);
    this.#connection.join(code);
    this.#connection.open();
    const leave = () => {
      if (this.#tables.get(table.id) !== table) return;
      this.#tables.delete(table.id);
      table.leave();
      this.#connection.leave(table.id);
      this.#closeIfUnused();
    };
    return { table, leave };
  }

  /** Looks at a game that is over together with others, until the returned function is called. */
  attend(game: GameId, key: string | null): { audience: AudienceState; leave: () => void } {
    const audience = new AudienceState(this.#connection, this.#time, game);
    this.#audiences.set(game, audience);
    this.#connection.attend(game, key, (answer) => audience.hearAnswer(answer));
    this.#connection.open();
    const leave = () => {
      if (this.#audiences.get(game) !== audience) return;
      this.#audiences.delete(game);
      audience.lost();
      this.#connection.depart(game);
      this.#closeIfUnused();
    };
    return { audience, leave };
  }

  #closeIfUnused(): void {
    if (this.#tables.size + this.#audiences.size === 0) this.#connection.close();
  }

  wake(): void {
    this.#connection.wake();
    this.#time.wake();
  }

  /** The page was hidden or is seen again, at that time of ours. */
  hide(hidden: boolean, since: number): void {
    this.#hidden = hidden;
    this.#tellAway(since);
  }

  /** Says whether our player can play: they have to see the page, and it has to know the time. */
  #tellAway(since: number): void {
    const away = this.#hidden || this.#unsure;
    if (away === this.#away) return;
    this.#away = away;
    this.#connection.tell({ t: 'away', away, since: this.#time.pressed(since) });
  }

  retry(): void {
    this.#connection.open();
  }

  #turn(link: ConnectionState): void {
    this.link = link;
    if (link === 'nameless') this.me = null;
    if (link === 'open') {
      this.#time.start();
      [this.#away, this.#unsure] = [false, false];
      this.#tellAway(performance.now());
    } else {
      this.#time.stop();
      this.quality = null;
      this.corrected = 0;
      for (const audience of this.#audiences.values()) audience.lost();
    }
  }

  /** A table that was looked at by this code has another id. */
  #found(code: Code, id: Code): void {
    const table = this.#tables.get(code);
    if (!table || this.#tables.has(id)) return;
    this.#tables.delete(code);
    table.id = id;
    this.#tables.set(id, table);
  }

  #hear(message: ServerMessage): void {
    switch (message.t) {
      case 'welcome':
        this.me = message.me;
        break;
      case 'found':
        this.#found(message.code, message.table);
        break;
      case 'update':
        this.#tables.get(message.code)?.hear(message);
        break;
      case 'audience':
        this.#audiences.get(message.game)?.hear(message);
        break;
      case 'remark':
        this.#audiences.get(message.game)?.hearRemark(message.name, message.text);
        break;
      case 'announcement':
        this.announcement = message.text;
        break;
      case 'probed':
        this.#time.hear(message.sent, message.server);
        this.quality = message.quality;
        this.corrected = message.corrected;
        break;
      case 'said':
        this.#tables.get(message.table)?.hearSaid(message.seat, message.name, message.text);
        break;
      case 'reacted':
        this.#tables.get(message.table)?.hearReacted(message.seat, message.name, message.sign);
        break;
      case 'refused':
        // A refusal with an id answers a message: its sender handles it.
        if (message.table !== null && message.id === null) this.#tables.get(message.table)?.hearClosed(problemOf(message));
        break;
      case 'bye':
    }
  }
}

export const session = new Session();

export function listenForWakeUps(): void {
  addEventListener('online', () => session.wake());
  document.addEventListener('visibilitychange', (event) => {
    const hidden = document.visibilityState === 'hidden';
    session.hide(hidden, event.timeStamp);
    if (!hidden) session.wake();
  });
  // A frozen page, and one from the browser's memory, is not always hidden first.
  document.addEventListener('resume', () => session.wake());
  addEventListener('pageshow', () => session.wake());
}
