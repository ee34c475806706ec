interface Waiting<T> {
  item: T;
  /** When it is shown, on this page's clock. */
  at: number;
  shown(): void;
}

export interface ShelfParts {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** However wrong the clock is, nobody waits longer than this. */
const WAIT_MS_MOST = 1_000;

/** What has come and is shown when its time has come, in the order it came. */
export class Shelf<T> {
  #parts: ShelfParts;
  #show: (item: T) => void;
  #waiting: Waiting<T>[] = [];
  #last: Promise<void> = Promise.resolve();
  #timer: unknown = null;

  constructor(parts: ShelfParts, show: (item: T) => void) {
    this.#parts = parts;
    this.#show = show;
  }

  /** Takes something in that is shown at that time of ours, or at once if it has passed. */
  put(item: T, at: number): void {
    const now = this.#parts.now();
    if (this.#waiting.length === 0 && at <= now) return this.#show(item);
    this.#last = new Promise((shown) => {
      this.#waiting.push({ item, at: Math.min(at, now + WAIT_MS_MOST), shown });
    });
    this.#rest();
  }

  /** Resolves when everything that is here now is shown. */
  settled(): Promise<void> {
    return this.#waiting.length === 0 ? Promise.resolve() : this.#last;
  }

  /** Forgets what is here: nobody looks any more. */
  clear(): void {
    for (const { shown } of this.#waiting.splice(0)) shown();
    this.#rest();
  }

  #rest(): void {
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
    this.#rest();
  }
}
