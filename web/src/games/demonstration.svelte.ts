import { isStill } from './family/travel';

/**
 * A demonstration that plays itself once, step by step, in about ten seconds. For viewers who asked
 * for less motion it stands still at a telling step until they press play.
 */
export class Demonstration {
  step = $state(0);
  playing = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `waits_ms` says how long each step waits before it comes; step 0 is there at once. */
  constructor(
    readonly waits_ms: readonly number[],
    still: number,
  ) {
    if (isStill()) this.step = still;
    else this.play();
    $effect(() => () => this.pause());
  }

  play(): void {
    if (this.step >= this.waits_ms.length) this.step = 0;
    this.playing = true;
    this.#next();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #next(): void {
    const wait = this.waits_ms[this.step];
    if (wait === undefined) return this.pause();
    this.#timer = setTimeout(() => {
      this.step += 1;
      this.#next();
    }, wait);
  }
}
