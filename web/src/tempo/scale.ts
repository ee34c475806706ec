import { partsOf } from '../games';
import type { LevelTempo, Setup } from '../wire.gen';

/** From times and cards to places in a picture. */
export interface Scale {
  x(at: number): number;
  y(card: number): number;
  /** Seconds and cards to write at the edges. */
  seconds: number[];
  cards: number[];
}

/** Room for what is written at the edges, in pixels. */
export const EDGE = { left: 34, right: 14, top: 30, bottom: 30 } as const;

/** The highest card of a game of timing. */
export function highest(setup: Setup): number {
  return partsOf(setup).game.timing?.highestCard ?? 0;
}

export function scaleOf(length: number, top: number, width: number, height: number): Scale {
  const seconds = Math.max(1, length / 1_000_000);
  const step = stepOf(seconds, Math.max(2, Math.floor(width / 90)));
  return {
    x: (at) => EDGE.left + ((width - EDGE.left - EDGE.right) * at) / 1_000_000 / seconds,
    y: (card) => height - EDGE.bottom - ((height - EDGE.top - EDGE.bottom) * card) / top,
    seconds: Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step),
    cards: Array.from({ length: 6 }, (_, index) => (index * top) / 5),
  };
}

/** A round number of seconds that makes at most that number of steps. */
export function stepOf(seconds: number, most: number): number {
  const least = seconds / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? 10 * power;
}

/** The levels that can be chosen, each with its attempts. */
export function grouped(levels: LevelTempo[]): LevelTempo[][] {
  const groups: LevelTempo[][] = [];
  for (const level of levels) {
    const last = groups.at(-1)?.[0];
    if (last && last.level === level.level && last.beyond === level.beyond) groups.at(-1)!.push(level);
    else groups.push([level]);
  }
  return groups;
}
