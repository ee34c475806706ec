import { m } from '../paraglide/messages';
import { withAllTexts } from './language.svelte';
import type { Problem } from './problem';
import type { Texts } from './refusal-texts';

/** Refusals are rare, so their texts are loaded with the first one. */
let texts = $state.raw<Texts | 'loading' | 'missing' | null>(null);

async function load(): Promise<void> {
  texts = 'loading';
  try {
    texts = (await withAllTexts(import('./refusal-texts'))).TEXTS;
  } catch {
    texts = 'missing';
  }
}

/** Why a table can be closed to a person today and open tomorrow. */
const PASSING: readonly Problem['code'][] = [
  'removed',
  'table-closed',
  'locked',
  'no-spectators',
  'table-full',
  'unreadable',
  'not-kept',
  'tables',
];

/** Whether it is worth trying again. */
export function mayChange({ code }: Problem): boolean {
  return PASSING.includes(code);
}

/**
 * A refusal in the player's language; the server's own sentence if the server is newer than the page or does not
 * answer any more. Empty for the moment until the texts are loaded; what shows it is drawn again then.
 */
export function refusalText(problem: Problem): string {
  if (problem.code === 'no-connection') return m.refusal_no_connection();
  if (texts === null) queueMicrotask(() => void load());
  if (texts === null || texts === 'loading') return '';
  if (texts === 'missing') return problem.text;
  const text = texts[problem.code] as ((why: Problem) => string) | undefined;
  return text?.(problem) ?? problem.text;
}
