/** How many probes are remembered: some three minutes once the clock has settled. */
const WINDOW = 96;
/** How fast two clocks are expected to drift apart: 100 millionths. */
const DRIFT = 1e-4;
/** Probes that follow each other closely in the beginning, then until the clock has settled. */
const FIRST = 8;
const SETTLED = 32;
/** From this number of probes on the clock is good enough to press by. */
const CERTAIN = 3;
/** How many of the last probes are looked at for a step, and how far two clocks may drift apart meanwhile. */
const RECENT = 16;
const DRIFT_MOST = 5e-4;
/** What clocks are rounded to. */
const ROUNDING_MS = 2;

interface Sample {
  /** The middle between sending and hearing, on this page's clock. */
  local: number;
  /** What the server's clock was ahead then, if both ways took the same time. */
  ahead: number;
  trip: number;
}

/**
 * The server's clock as this page knows it, in milliseconds, from probes.
 *
 * Both clocks only go forward; the time of day is never used. `crates/unspoken/src/fairness/clock.rs`
 * is the same in Rust, for the simulation; both are held to `clock.vectors.json`.
 */
export class Clock {
  #samples: Sample[] = [];
  #line: { local: number; ahead: number; drift: number } | null = null;

  /** A probe came back: sent and heard on our clock, answered on the server's. */
  add(sent: number, server: number, heard: number): void {
    const trip = heard - sent;
    if (!(trip >= 0)) return;
    const local = sent + trip / 2;
    const sample = { local, ahead: server - local, trip };
    // A device that sleeps stops its clock: what was measured before says nothing about now.
    if (hasStepped(this.#samples, sample)) this.#samples = [];
    this.#samples.push(sample);
    if (this.#samples.length > WINDOW) this.#samples.shift();
    this.#line = fit(this.#samples);
  }

  /** The server's time at a time of ours; `null` before the first probe is back. */
  toServer(local: number): number | null {
    const line = this.#line;
    return line && local + line.ahead + line.drift * (local - line.local);
  }

  /** Our time at a time of the server's. */
  toLocal(server: number): number | null {
    const line = this.#line;
    return line && (server - line.ahead + line.drift * line.local) / (1 + line.drift);
  }

  /** Whether presses can be told by it: not at first, and not right after it has stepped. */
  get certain(): boolean {
    return this.#samples.length >= CERTAIN;
  }

  /** How long to wait before the next probe. */
  get pause(): number {
    const count = this.#samples.length;
    return count < FIRST ? 150 : count < SETTLED ? 1_000 : 2_000;
  }
}

/**
 * Whether a sample contradicts the quickest of those before it: each is off by half its trip at most,
 * however the two ways share it, so one of the two clocks has stood still or was set in between.
 */
function hasStepped(samples: readonly Sample[], { local, ahead, trip }: Sample): boolean {
  const recent = samples.slice(-RECENT);
  if (recent.length === 0) return false;
  const best = recent.reduce((quick, sample) => (sample.trip < quick.trip ? sample : quick));
  const most = (best.trip + trip) / 2 + DRIFT_MOST * Math.abs(local - best.local) + ROUNDING_MS;
  return Math.abs(ahead - best.ahead) > most;
}

/**
 * A line through the quickest half of the samples: a delay of a probe is nearly always a delay of
 * one of its two ways. The less the samples vary and the longer they go back, the more of a drift
 * is believed.
 */
function fit(samples: readonly Sample[]): { local: number; ahead: number; drift: number } {
  const quick = samples.toSorted((a, b) => a.trip - b.trip).slice(0, Math.ceil(samples.length / 2));
  const mean = (of: (sample: Sample) => number) => quick.reduce((sum, sample) => sum + of(sample), 0) / quick.length;
  const local = mean((sample) => sample.local);
  const ahead = mean((sample) => sample.ahead);
  const length = mean((sample) => (sample.local - local) ** 2);
  const slope = mean((sample) => (sample.local - local) * (sample.ahead - ahead));
  if (length === 0) return { local, ahead, drift: 0 };
  const noise = mean((sample) => (sample.ahead - ahead) ** 2) - slope ** 2 / length;
  const doubt = noise / quick.length / DRIFT ** 2;
  return { local, ahead, drift: slope / (length + doubt) };
}
