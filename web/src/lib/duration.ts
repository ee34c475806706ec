/** Below this, seconds are told with a tenth. */
const TENTHS_BELOW = 10;
const MINUTE = 60;

/** A time in microseconds as people tell it: "0.4 s", "73 s", "2 min 5 s". */
export function tellDuration(micros: number, locale: string): string {
  const seconds = micros / 1_000_000;
  const digits = seconds < TENTHS_BELOW ? 1 : 0;
  const number = (value: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  if (Math.round(seconds) < 2 * MINUTE) return `${number(seconds)}\u00a0s`;
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / MINUTE), whole % MINUTE];
  return rest === 0 ? `${number(minutes)}\u00a0min` : `${number(minutes)}\u00a0min ${rest}\u00a0s`;
}
