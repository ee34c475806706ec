import { m } from '../paraglide/messages';
import type { GameName, Preset } from '../wire.gen';

/** The names of the games, which are the same in every language. */
export const GAME_NAMES: Record<GameName, string> = {
  mind: 'The Mind',
  extreme: 'The Mind Extreme',
  soulmates: 'The Mind: Soulmates',
  royale: 'Royale Mastermind',
};

export const GAME_PITCHES: Record<GameName, () => string> = {
  mind: m.pitch_mind,
  extreme: m.pitch_extreme,
  soulmates: m.pitch_soulmates,
  royale: m.pitch_royale,
};

/** The presets in sight; `research` is behind "More". */
export const COMMON_PRESETS: readonly Preset[] = ['faithful', 'friendly'];

export const PRESET_NAMES: Record<Preset, () => string> = {
  faithful: m.preset_faithful,
  friendly: m.preset_friendly,
  research: m.preset_research,
};

export const PRESET_SENTENCES: Record<Preset, () => string> = {
  faithful: m.preset_faithful_says,
  friendly: m.preset_friendly_says,
  research: m.preset_research_says,
};
