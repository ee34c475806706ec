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
