import type { StudyAnswer, StudyItem } from '../wire.gen';

/** What participants have answered so far, by the ids of the questions. */
export type Drafts = Record<string, StudyAnswer>;

/** What is wrong with an answer. */
export type AnswerFault = 'missing' | 'not-a-number' | 'not-whole' | 'out-of-range' | 'too-long' | 'wrong-count';

/** A number as people type it, with a point or a comma; `NaN` for another text. */
export function readNumber(text: string): number {
  const trimmed = text.trim().replace(',', '.');
  return trimmed === '' ? Number.NaN : Number(trimmed);
}

/** The answer to a question. Where no option has to be chosen, choosing none of them is an answer. */
function answerTo({ id, kind, required }: StudyItem, drafts: Drafts): StudyAnswer | undefined {
  const mayBeNone = kind !== 'note' && 'choices' in kind && kind.choices.least === 0 && required;
  return drafts[id] ?? (mayBeNone ? { choices: [] } : undefined);
}

/** Whether there is nothing in an answer, so that it is left out. */
function isBlank({ kind, required }: StudyItem, answer: StudyAnswer | undefined): boolean {
  if (answer === undefined) return true;
  if ('text' in answer) return answer.text.trim() === '';
  if (!('choices' in answer) || answer.choices.length > 0) return false;
  return !(required && kind !== 'note' && 'choices' in kind && kind.choices.least === 0);
}

/** How many characters the server counts in a text. */
export function charsOf(text: string): number {
  return [...text].length;
}

/** What is wrong with the answer to a question; `null` if it can be sent, or left out. */
export function faultOf(item: StudyItem, answer: StudyAnswer | undefined): AnswerFault | null {
  const { kind, required } = item;
  if (kind === 'note') return null;
  if (answer === undefined || isBlank(item, answer)) return required ? 'missing' : null;
  if ('text' in kind && 'text' in answer) return charsOf(answer.text) > kind.text.chars_most ? 'too-long' : null;
  if ('choices' in kind && 'choices' in answer) {
    const { length } = answer.choices;
    return length < kind.choices.least || length > kind.choices.most ? 'wrong-count' : null;
  }
  if ('number' in answer) {
    if (Number.isNaN(answer.number)) return 'not-a-number';
    const range = 'number' in kind ? kind.number : 'slider' in kind ? kind.slider : null;
    if (range && (answer.number < range.least || answer.number > range.most)) return 'out-of-range';
    return 'number' in kind && kind.number.whole && !Number.isInteger(answer.number) ? 'not-whole' : null;
  }
  return null;
}

/** Every question whose answer cannot be sent, by its id. */
export function faultsOf(items: readonly StudyItem[], drafts: Drafts): Map<string, AnswerFault> {
  const faults = new Map<string, AnswerFault>();
  for (const item of items) {
    const fault = faultOf(item, answerTo(item, drafts));
    if (fault) faults.set(item.id, fault);
  }
  return faults;
}

/** The answers as they are sent: without those that are blank. */
export function sentAnswers(items: readonly StudyItem[], drafts: Drafts): Drafts {
  const sent = items.flatMap((item): [string, StudyAnswer][] => {
    const answer = item.kind === 'note' ? undefined : answerTo(item, drafts);
    return answer === undefined || isBlank(item, answer) ? [] : [[item.id, answer]];
  });
  return Object.fromEntries(sent);
}
