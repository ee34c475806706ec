import { expect, test } from 'vitest';
import { resized, rowsOf } from './level-table';

test('the rows of a table are those between its commas', () => {
  expect(rowsOf('4/3/1,5/3/2')).toEqual(['4/3/1', '5/3/2']);
  expect(rowsOf('')).toEqual([]);
});

test('a table gets shorter by its last rows and longer by the last one again', () => {
  const rows = ['4/3/1', '5/3/2', '6/4/2'];
  expect(resized(rows, 2)).toEqual(['4/3/1', '5/3/2']);
  expect(resized(rows, 5)).toEqual([...rows, '6/4/2', '6/4/2']);
  expect(resized([], 3)).toEqual([]);
});
