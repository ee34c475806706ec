import { m } from '../paraglide/messages';
import type { Grade, Quality } from '../wire.gen';

const WORDS: Record<Grade, () => string> = {
  good: m.quality_good,
  fair: m.quality_fair,
  poor: m.quality_poor,
};

/** A connection in plain words and milliseconds. */
export function qualityText({ grade, trip_ms, spread_ms }: Quality, corrected = 0): string {
  const text = m.quality_ms({ word: WORDS[grade](), trip: trip_ms, spread: spread_ms });
  return corrected > 0 ? `${text} · ${m.quality_corrected({ count: corrected })}` : text;
}
