import { m } from '../paraglide/messages';
import type { Grade, Quality } from '../wire.gen';

const WORDS: Record<Grade, () => string> = {
  good: m.quality_good,
  fair: m.quality_fair,
  poor: m.quality_poor,
};

/** A connection in plain words, as in "Good connection". */
export function qualityWord({ grade }: Quality): string {
  return WORDS[grade]();
}

/** What was measured of a connection, for the details. */
export function qualityFigures({ trip_ms, spread_ms }: Quality, corrected = 0): string {
  const figures = m.quality_ms({ trip: trip_ms, spread: spread_ms });
  return corrected > 0 ? `${figures} · ${m.quality_corrected({ count: corrected })}` : figures;
}
