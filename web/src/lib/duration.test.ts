import { expect, it } from 'vitest';
import { tellDuration } from './duration';

it.each([
  [73_195_000, 'en', '73 s'],
  [412_000, 'en', '0.4 s'],
  [412_000, 'de', '0,4 s'],
  [9_960_000, 'en', '10 s'],
  [119_400_000, 'en', '119 s'],
  [125_000_000, 'fr', '2 min 5 s'],
  [180_000_000, 'en', '3 min'],
])('%i µs in %s is %s', (micros, locale, words) => {
  expect(tellDuration(micros, locale).replaceAll('\u00a0', ' ')).toBe(words);
});
