import { m } from '../paraglide/messages';
import type { Preset } from '../wire.gen';

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
