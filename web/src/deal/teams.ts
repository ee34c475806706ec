import { partsOf } from '../games';
import type { Round } from '../games/game';
import { fetched, type Problem } from '../lib/api';
import { nameAt } from '../lib/seats';
import { outcomeOf } from '../lib/stage';
import type { Code, LevelTempo, SameDealGame, Table, Tempo } from '../wire.gen';

/** A game with a deal, as it is laid beside others. */
export interface Team {
  /** Where it can be watched again; `null` for the one that is looked at, and if it may not be. */
  link: string | null;
  table: Table;
  names: string[];
  /** Who of them had seen the deal before. */
  knew: string[];
  outcome: 'won' | 'lost' | 'over' | 'early';
  tempo: Tempo | null;
  /** How far they came, in the games of timing. */
  reached: { level: number; lives: number; mistakes: number; sync: number | null } | null;
  /** What they scored, in games of rounds. */
  sheet: Round[] | null;
}

export type Ended = Pick<SameDealGame, 'table' | 'end' | 'tempo'> & {
  /** The seed, where it is revealed. */
  seed?: string | undefined;
};

/** Opens a table for the deal of a game. */
export function playDeal(id: string, key: string | null): Promise<{ table: Code } | Problem> {
  return fetched(`/api/replays/${encodeURIComponent(id)}/deal${keyed(key)}`, {});
}

/** Every other game with the same deal that is over. */
export function loadOthers(id: string, key: string | null): Promise<SameDealGame[] | Problem> {
  return fetched(`/api/replays/${encodeURIComponent(id)}/others${keyed(key)}`);
}

function keyed(key: string | null): string {
  return key === null ? '' : `?key=${encodeURIComponent(key)}`;
}

export function teamOf({ table, end, tempo }: Ended, link: string | null): Team {
  const knows = table.deal?.knows ?? [];
  const { game, inner } = partsOf(end);
  const result = game.result(inner);
  return {
    link,
    table,
    names: table.chairs.map(({ seat }) => nameAt(table, seat)),
    knew: knows.map((seat) => nameAt(table, seat)),
    outcome: howItEnded(table),
    tempo,
    reached: 'reached' in result ? { ...result.reached, ...accuracyOf(tempo) } : null,
    sheet: 'sheet' in result ? result.sheet : null,
  };
}

function howItEnded(table: Table): Team['outcome'] {
  const outcome = outcomeOf(table);
  if (outcome === null) return 'early';
  return typeof outcome === 'object' ? 'over' : outcome;
}

function accuracyOf(tempo: Tempo | null): { mistakes: number; sync: number | null } {
  const plays = tempo?.levels.flatMap((each) => each.plays) ?? [];
  const sync = tempo?.sync ? Math.round(tempo.sync.score) : null;
  return { mistakes: plays.filter(({ mistake }) => mistake).length, sync };
}

/** A level as a team played it in the end: of several attempts the last one. */
export function levelOf({ tempo }: Team, number: number): LevelTempo | null {
  return tempo?.levels.findLast(({ level, beyond, plays }) => level === number && !beyond && plays.length > 0) ?? null;
}

/** The levels that any of them played. */
export function levelsOf(teams: Team[]): number[] {
  const levels = teams.flatMap(({ tempo }) => tempo?.levels.filter(({ beyond, plays }) => !beyond && plays.length > 0) ?? []);
  return [...new Set(levels.map(({ level }) => level))].sort((one, other) => one - other);
}
