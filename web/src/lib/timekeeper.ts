import type { ClientMessage } from '../wire.gen';
import { Clock } from './clock';

export interface TimeParts {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  send(message: Extract<ClientMessage, { t: 'probe' }>): void;
  /** The clock has stepped, and presses cannot be told by it; or they can again. */
  unsure(unsure: boolean): void;
}

/** A press that lies ahead of the server's clock counts as it arrives: nothing is claimed. */
const AS_IT_ARRIVES = 1e15;

/** Keeps the server's time while there is a connection. Another connection may be another server. */
export class Timekeeper {
  #parts: TimeParts;
  #clock = new Clock();
  #timer: unknown = null;
  #unsure = false;

  constructor(parts: TimeParts) {
    this.#parts = parts;
  }

  /** There is a connection from now on. */
  start(): void {
    this.stop();
    this.#clock = new Clock();
    this.#unsure = false;
    this.#probe();
  }

  /** The device may have slept: a probe leaves at once and shows whether its clock stood still. */
  wake(): void {
    if (this.#timer !== null) this.#probe();
  }

  stop(): void {
    if (this.#timer !== null) this.#parts.clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** A probe came back. */
  hear(sent: number, server: number): void {
    const knew = this.#clock.certain;
    this.#clock.add(sent, server, this.#parts.now());
    const { certain } = this.#clock;
    if (knew && !certain) {
      this.#turn(true);
      this.#probe();
    } else if (certain && this.#unsure) {
      this.#turn(false);
    }
  }

  /** What the server's clock showed when something was pressed, by the event's `timeStamp`. */
  pressed(local: number): number {
    return this.#clock.toServer(local) ?? AS_IT_ARRIVES;
  }

  /** When to show what the server wants to be shown then; now, if its time is not known. */
  showing(server: number): number {
    return this.#clock.toLocal(server) ?? this.#parts.now();
  }

  /** What the server's clock showed at a time of ours; `null` if its time is not known yet. */
  serverTime(local: number): number | null {
    return this.#clock.toServer(local);
  }

  /** How long ago a moment of the server's was; `null` if its time is not known yet. */
  since(server: number): number | null {
    const now = this.#clock.toServer(this.#parts.now());
    return now === null ? null : now - server;
  }

  #turn(unsure: boolean): void {
    this.#unsure = unsure;
    this.#parts.unsure(unsure);
  }

  #probe(): void {
    if (this.#timer !== null) this.#parts.clearTimeout(this.#timer);
    this.#parts.send({ t: 'probe', sent: this.#parts.now() });
    this.#timer = this.#parts.setTimeout(() => this.#probe(), this.#clock.pause);
  }
}
