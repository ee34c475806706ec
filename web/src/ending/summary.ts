import type { Card, Lane, LevelTempo, Moment, Seat, Tempo } from '../wire.gen';

/** What a finished game is remembered by. */
export interface Summary {
  /** The level that is drawn: the one with the most cards, of several the last. */
  level: LevelTempo;
  /** All levels with enough cards for a line, in the order in which they were played. */
  lines: LevelTempo[];
  closest: CloseCall | null;
  stretch: Stretch | null;
}

/** Two cards of different players, one right after the other. */
export interface CloseCall {
  level: LevelTempo;
  first: { card: Card; seat: Seat };
  next: { card: Card; seat: Seat };
  lane: Lane;
  apart: Moment;
}

/** The longest run of cards without a mistake. */
export interface Stretch {
  cards: number;
  from: number;
  to: number;
}

/** A line through fewer points says nothing. */
export const LINE_POINTS_LEAST = 3;
/** Cards further apart than this were no close call, in microseconds. */
const CLOSE_MOST = 1_500_000;
/** A shorter run is nothing to tell. */
const STRETCH_LEAST = 4;

/** `null` if no level has enough cards to draw. */
export function summaryOf(tempo: Tempo): Summary | null {
  const lines = tempo.levels.filter(({ plays }) => plays.length >= LINE_POINTS_LEAST);
  const most = Math.max(0, ...lines.map(({ plays }) => plays.length));
  const level = lines.findLast(({ plays }) => plays.length === most);
  return level ? { level, lines, closest: closestOf(tempo), stretch: stretchOf(tempo) } : null;
}

function closestOf({ levels }: Tempo): CloseCall | null {
  const calls = levels.flatMap((level) => {
    const call = level.closest && callOf(level);
    return call ? [call] : [];
  });
  const [closest] = calls.sort((one, other) => one.apart - other.apart);
  return closest && closest.apart <= CLOSE_MOST ? closest : null;
}

/** The closest call of a level with the seats that it belongs to. */
function callOf(level: LevelTempo): CloseCall | null {
  const { closest, plays } = level;
  if (!closest) return null;
  for (const [index, first] of plays.entries()) {
    const next = plays.slice(index + 1).find(({ lane }) => lane === first.lane);
    if (next && first.card === closest.first && next.card === closest.next) {
      return { level, first, next, lane: first.lane, apart: closest.apart };
    }
  }
  return null;
}

function stretchOf({ levels }: Tempo): Stretch | null {
  let best: Stretch = { cards: 0, from: 0, to: 0 };
  let run = { cards: 0, from: 0 };
  for (const { level, plays } of levels) {
    for (const { mistake } of plays) {
      run = mistake ? { cards: 0, from: 0 } : { cards: run.cards + 1, from: run.cards === 0 ? level : run.from };
      if (run.cards > best.cards) best = { ...run, to: level };
    }
  }
  return best.cards >= STRETCH_LEAST ? best : null;
}
