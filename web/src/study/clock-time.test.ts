import { expect, it } from 'vitest';
import { clockTime } from './clock-time';

it.each([
  [0, '0:00'],
  [65, '1:05'],
  [300, '5:00'],
  [-1, '0:00'],
  [3_601, '60:01'],
])('%d seconds are %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text);
});
