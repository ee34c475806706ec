import { describe, expect, it } from 'vitest';
import { agreement, agreementBrief } from './agreement';

describe('a score of a team', () => {
  it.each([
    [100, 'like one clock'],
    [85, 'like one clock'],
    [84.9, 'close together'],
    [45, 'roughly'],
    [37, 'each in their own time'],
    [0, 'each in their own time'],
  ])('%d is said in words, as in a report', (score, words) => {
    expect(agreementBrief(score)).toBe(words);
    expect(agreement(score)).toMatch(/clock|own time/);
  });
});
