import type { ExtremeLevel, Face, GameName, Manners, Reward, Setup } from '../wire.gen';
import type { Preset } from './api';

/**
 * The set-up of a preset, for a form to start from. What can be played is decided by the server;
 * a story in `e2e/` compares these with what it deals out.
 */
export function setupOf(game: GameName, players: number, preset: Preset): Setup {
  const start = { levels: 16 - 2 * players, lives: players, stars: 1 };
  const manners = mannersOf(preset);
  switch (game) {
    case 'mind':
      return { mind: { players, ...start, blind_cost: 'per-mistake', manners } };
    case 'extreme': {
      const { levels, ...rest } = start;
      return { extreme: { players, table: extremeLevels(levels), ...rest, blind_cost: 'per-mistake', manners } };
    }
    case 'soulmates':
      return { soulmates: { players, lives: players === 2 ? 3 : 4, table: 'linear', first_seer: null, manners } };
    case 'royale': {
      const friendly = preset === 'friendly';
      const aids = { count: friendly, shade: friendly, suggest: friendly };
      return { royale: { players, variant: 'alternate', rounds: players * (players === 2 ? 4 : 8), unsolved: 8, aids, manners } };
    }
  }
}

function mannersOf(preset: Preset): Manners {
  const friendly = preset === 'friendly';
  const research = preset === 'research';
  return {
    photo_finish: friendly,
    tempo_report: friendly ? 'every-level' : 'after-game',
    seeding: research ? 'fixed' : 'fresh',
    export: research,
  };
}

/** The first levels of Extreme as printed: how white and red are laid, and the reward. */
export function extremeLevels(levels: number): ExtremeLevel[] {
  const blindWhite = [3, 6, 8, 10];
  const blindRed = [4, 6, 10, 12];
  const rewards: Record<number, Reward> = { 2: 'star', 3: 'life', 5: 'star', 6: 'life', 8: 'star', 9: 'life' };
  const face = (blind: boolean): Face => (blind ? 'blind' : 'open');
  return Array.from({ length: levels }, (_, index) => {
    const level = index + 1;
    const faces = { white: face(blindWhite.includes(level)), red: face(blindRed.includes(level)) };
    return { faces, reward: rewards[level] ?? 'nothing' };
  });
}
