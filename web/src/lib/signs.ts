import { m } from '../paraglide/messages';
import type { Reaction } from '../wire.gen';

const NAMES: Record<Reaction, () => string> = {
  wave: m.sign_wave,
  bravo: m.sign_bravo,
  heart: m.sign_heart,
  smile: m.sign_smile,
  surprise: m.sign_surprise,
  sorry: m.sign_sorry,
};

/** All signs, in the order in which they are offered. */
export const SIGNS = Object.keys(NAMES) as Reaction[];

/** A sign in words, for people who do not see it. */
export function signName(sign: Reaction): string {
  return NAMES[sign]();
}
