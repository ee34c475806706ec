import { m } from '../../paraglide/messages';
import type { MindSetup } from '../../wire.gen';
import { firstLevelRule, playersRule, usualLevels } from '../family/shared';

const CARDS = 100;

/** The last level that the deck suffices for (H4). */
export function levelsMost(players: number): number {
  return Math.floor(CARDS / players);
}

/** The house rules of a set-up: more players than the box is for, where it starts, face down all the time, and levels beyond the last. */
export function houseRules(setup: MindSetup): string[] {
  const usual = usualLevels(setup.players);
  return [
    ...playersRule(setup),
    ...firstLevelRule(setup),
    ...(setup.face === 'blind' ? [m.face_down_always()] : []),
    ...(setup.levels > usual ? [m.levels_beyond({ usual, last: setup.levels })] : []),
  ];
}
