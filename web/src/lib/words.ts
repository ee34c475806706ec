import { m } from '../paraglide/messages';
import type { Preset } from '../wire.gen';

export const PRESETS: readonly Preset[] = ['faithful', 'friendly', 'research'];

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
