import { describe, expect, it } from 'vitest';
import type { StudyAnswer, StudyItem, StudyItemKind } from '../wire.gen';
import { faultOf, faultsOf, readNumber, sentAnswers } from './answers';

const item = (kind: StudyItemKind, required = true, id = 'q'): StudyItem => ({ id, text: 'Question', required, kind });
const options = [
  { id: 'a', text: 'A' },
  { id: 'b', text: 'B' },
  { id: 'c', text: 'C' },
];
const text = item({ text: { lines: 1, chars_most: 3 } });
const number = item({ number: { least: 0, most: 80, whole: true } });
const choices = item({ choices: { options, least: 1, most: 2 } });
const slider = item({ slider: { least: 0, most: 1, step: 0.1, low: '', high: '' } });
const likert = item({ likert: { points: 7, low: '', high: '' } });

describe('what is wrong with an answer', () => {
  it.each<[string, StudyItem, StudyAnswer | undefined, string | null]>([
    ['a note wants none', item('note'), undefined, null],
    ['a required text', text, undefined, 'missing'],
    ['a required text of spaces', text, { text: '  ' }, 'missing'],
    ['a text that may be left out', { ...text, required: false }, { text: ' ' }, null],
    ['a text', text, { text: 'abc' }, null],
    ['a text with characters of two units', text, { text: '🂡🂡🂡' }, null],
    ['a long text', text, { text: 'abcd' }, 'too-long'],
    ['no number', number, { number: Number.NaN }, 'not-a-number'],
    ['a number below', number, { number: -1 }, 'out-of-range'],
    ['a number above', number, { number: 81 }, 'out-of-range'],
    ['a broken number', number, { number: 2.5 }, 'not-whole'],
    ['a number', number, { number: 80 }, null],
    ['a required choice', item({ choice: { options } }), undefined, 'missing'],
    ['a choice', item({ choice: { options } }), { choice: 'b' }, null],
    ['no choices', choices, { choices: [] }, 'missing'],
    ['no choices where none are needed', { ...choices, required: false }, { choices: [] }, null],
    ['too many choices', choices, { choices: ['a', 'b', 'c'] }, 'wrong-count'],
    ['choices', choices, { choices: ['a', 'b'] }, null],
    ['a slider that was not moved', slider, undefined, 'missing'],
    ['a slider at its end', slider, { number: 1 }, null],
    ['a point of a scale', likert, { likert: 7 }, null],
  ])('%s', (_name, question, answer, fault) => {
    expect(faultOf(question, answer)).toBe(fault);
  });
});

it('where no option has to be chosen, none of them is an answer', () => {
  const cues = item({ choices: { options, least: 0, most: 3 } }, true, 'cues');
  expect([...faultsOf([cues], {})]).toEqual([]);
  expect(sentAnswers([cues], {})).toEqual({ cues: { choices: [] } });
  expect(sentAnswers([{ ...cues, required: false }], {})).toEqual({});
});

it.each([
  ['12', 12],
  [' 2,5 ', 2.5],
  ['2.5', 2.5],
  ['-3', -3],
  ['', Number.NaN],
  ['twelve', Number.NaN],
])('"%s" as a number', (typed, value) => {
  expect(readNumber(typed)).toBe(value);
});

it('faults are named by question, and blank answers are left out', () => {
  const items = [
    item('note', true, 'n'),
    item(text.kind, false, 'remarks'),
    item(number.kind, true, 'years'),
    item(likert.kind, true, 'how'),
  ];
  const drafts = { remarks: { text: '' }, years: { number: 3 } };
  expect([...faultsOf(items, drafts)]).toEqual([['how', 'missing']]);
  expect(sentAnswers(items, { ...drafts, how: { likert: 2 } })).toEqual({ years: { number: 3 }, how: { likert: 2 } });
});
