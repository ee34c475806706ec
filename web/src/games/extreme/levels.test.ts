import { expect, it } from 'vitest';
import type { ExtremeLevel, ExtremeSetup } from '../../wire.gen';
import { allLevels } from './levels';

const level: ExtremeLevel = { faces: { white: 'open', red: 'open' }, reward: 'nothing' };
const setup = (levels: number) => ({ table: Array<ExtremeLevel>(levels).fill(level) }) as ExtremeSetup;

it('the longest table has all levels', () => {
  expect(allLevels([setup(8), setup(12), setup(10)])).toHaveLength(12);
  expect(allLevels([])).toEqual([]);
});
