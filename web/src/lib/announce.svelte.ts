import { untrack } from 'svelte';

/** What is said to players who do not see the table move. */
interface Spoken {
  /** The live regions on the page by number, the topmost last: a modal dialog hides all others from screen readers. */
  regions: number[];
  /** What the topmost region says now. */
  lines: { id: number; text: string }[];
}

export const spoken = $state<Spoken>({ regions: [], lines: [] });

const LINES_MOST = 6;
let count = 0;
let last = '';
let now: string[] = [];
let after: string[] = [];

/**
 * Says texts in the live region. All that one update brings becomes one line: screen readers speak
 * lines that are added together in any order.
 */
export function announce(...texts: string[]): void {
  queue(now, texts);
}

/** The same for a text that follows from what an update brought, and is said behind it. */
export function announceAfter(...texts: string[]): void {
  queue(after, texts);
}

/** Answers a player who asks. It is said at once, and is not what was said last. */
export function reply(text: string): void {
  add(sentence(text));
}

/** What was said last; empty if nothing was. */
export function lastSaid(): string {
  return last;
}

/**
 * Makes a live region the topmost until the returned function is called. It starts empty, and so does
 * the one below it afterwards: what was said is not said again when a region comes back.
 */
export function addRegion(region: number): () => void {
  return untrack(() => {
    spoken.regions = [...spoken.regions, region];
    spoken.lines = [];
    return () => {
      spoken.regions = spoken.regions.filter((each) => each !== region);
      spoken.lines = [];
    };
  });
}

function queue(texts: string[], added: string[]): void {
  const said = added.filter((text) => text !== '');
  if (said.length === 0) return;
  if (now.length + after.length === 0) setTimeout(say);
  texts.push(...said);
}

function say(): void {
  const text = [...now, ...after].map(sentence).join(' ');
  now = [];
  after = [];
  last = text;
  add(text);
}

function add(text: string): void {
  untrack(() => {
    spoken.lines = [...spoken.lines, { id: ++count, text }].slice(-LINES_MOST);
  });
}

/** Screen readers pause at a full stop. */
function sentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}
