interface Waiting<T> {
  item: T;
  /** When it is shown, on this page's clock. */
  at: number;
  shown(): void;
}

export interface QueueParts {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The clock and the timers of this page. */
const PAGE: QueueParts = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (handle) => clearTimeout(handle as number),
};

/** An update waits at most this long, even if the estimate of the server's clock is wrong. */
const WAIT_MS_MOST = 1_000;

/** Items that wait for the moment at which they are shown, in the order in which they came. */
export class ShowQueue<T> {
  #parts: QueueParts;
  #show: (item: T) => void;
  #waiting: Waiting<T>[] = [];
  #last: Promise<void> = Promise.resolve();
  #timer: unknown = null;

  constructor(show: (item: T) => void, parts: QueueParts = PAGE) {
    this.#show = show;
    this.#parts = parts;
  }

  /** Adds an item that is shown at a time of this page's clock, or at once if that has passed. */
  put(item: T, at: number): void {
    const now = this.#parts.now();
    if (this.#waiting.length === 0 && at <= now) return this.#show(item);
    this.#last = new Promise((shown) => {
      this.#waiting.push({ item, at: Math.min(at, now + WAIT_MS_MOST), shown });
    });
    this.#wait();
  }

  /** Resolves when every item that waits now has been shown. */
  settled(): Promise<void> {
    return this.#waiting.length === 0 ? Promise.resolve() : this.#last;
  }

  /** Drops the items that wait: the page has left the table. */
  clear(): void {
    for (const { shown } of this.#waiting.splice(0)) shown();
    this.#wait();
  }

  #wait(): void {
    if (this.#timer !== null) this.#parts.clearTimeout(this.#timer);
    const first = this.#waiting[0];
    this.#timer = first ? this.#parts.setTimeout(() => this.#next(), Math.max(0, first.at - this.#parts.now())) : null;
  }

  /** One at a time: what is shown together with the next would not be seen. */
  #next(): void {
    this.#timer = null;
    // A timer may go off a little early.
    if (this.#waiting[0] && this.#waiting[0].at <= this.#parts.now()) {
      const { item, shown } = this.#waiting.shift()!;
      this.#show(item);
      shown();
    }
    this.#wait();
  }
}
