import type { DailyTeam } from '../wire.gen';

/** A team as a dot: how far it came to the right, how few mistakes upwards. Nothing tells how fast a team was. */
export interface Dot {
  x: number;
  y: number;
  /** How many teams are at the same place. */
  count: number;
  you: boolean;
}

type Levels = Extract<DailyTeam['reached'], { level: unknown }>['level'];

/** How far a team came; `null` in a game of points. */
export function levelsOf({ reached }: DailyTeam): Levels | null {
  return 'level' in reached ? reached.level : null;
}

/** The teams as dots, with 0 to 1 for both axes. Teams with the same result share a dot. */
export function dots(teams: readonly DailyTeam[]): Dot[] {
  const most = Math.max(1, ...teams.map(({ mistakes }) => mistakes ?? 0));
  const places = new Map<string, Dot>();
  for (const team of teams) {
    const levels = levelsOf(team);
    if (!levels) continue;
    const [x, y] = [levels.of > 1 ? (levels.level - 1) / (levels.of - 1) : 1, 1 - (team.mistakes ?? 0) / most];
    const key = `${x} ${y}`;
    const dot = places.get(key) ?? { x, y, count: 0, you: false };
    places.set(key, { ...dot, count: dot.count + 1, you: dot.you || team.you });
  }
  return [...places.values()].sort((one, other) => Number(one.you) - Number(other.you));
}
