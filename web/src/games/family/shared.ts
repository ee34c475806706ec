import { m } from '../../paraglide/messages';
import type { BlindCost } from '../../wire.gen';
import type { Chapter, Result, SomeGame } from '../game';

/** What the descriptors of the Mind games have in common. */
export const FAMILY = {
  bots: ['kindred', 'steady', 'hasty', 'dreamy', 'random'],
  chapterName: levelName,
  result: ({ public: { level, lives } }: { public: { level: number; lives: number } }): Result => ({ reached: { level, lives } }),
  judgement: null,
} as const satisfies Partial<SomeGame>;

function levelName({ number, attempt, beyond }: Chapter): string {
  if (beyond) return m.replay_level_beyond({ level: number });
  return attempt > 1 ? m.replay_attempt({ level: number, attempt }) : m.replay_level({ level: number });
}

/** What the box gives a team of each size to begin with. */
export const USUAL_TEAMS = [
  { players: 2, levels: 12, lives: 2, stars: 1 },
  { players: 3, levels: 10, lives: 3, stars: 1 },
  { players: 4, levels: 8, lives: 4, stars: 1 },
] as const;

/** The same by a house rule for teams that the box is not for (H1). */
const LARGER_TEAMS = [
  { players: 5, levels: 7 },
  { players: 6, levels: 6 },
] as const;

/** The last level of a team of that size. */
export function usualLevels(players: number): number {
  return [...USUAL_TEAMS, ...LARGER_TEAMS].find((team) => team.players === players)?.levels ?? 0;
}

/** The number of players as a house rule; none if the box is for as many (H1). */
export function playersRule({ players }: { players: number }): string[] {
  return LARGER_TEAMS.some((team) => team.players === players) ? [m.players_beyond({ number: players })] : [];
}

/** The level that a game starts with (H2). */
export function firstLevel({ first_level }: { first_level?: number }): number {
  return first_level ?? 1;
}

/** How many levels are played up to the last. */
export function playedLevels(setup: { first_level?: number }, last: number): number {
  return last - firstLevel(setup) + 1;
}

/** The starting level as a house rule; none if it is level 1. */
export function firstLevelRule(setup: { first_level?: number }): string[] {
  const level = firstLevel(setup);
  return level > 1 ? [`${m.first_level()}: ${level}`] : [];
}

export const BLIND_COSTS: readonly BlindCost[] = ['per-mistake', 'one-per-level'];

const COST_NAMES: Record<BlindCost, () => string> = { 'per-mistake': m.cost_per_mistake, 'one-per-level': m.cost_one_per_level };

export function blindCostName(cost: BlindCost): string {
  return COST_NAMES[cost]();
}

/** What a team begins with. */
export function stockTexts({ lives, stars }: { lives: number; stars: number }): string[] {
  return [m.count_lives({ count: lives }), m.count_stars({ count: stars })];
}

export function blindCostText({ blind_cost }: { blind_cost: BlindCost }): string {
  return `${m.blind_cost()}: ${blindCostName(blind_cost)}`;
}
