import { untrack } from 'svelte';

/** What the live region says now: words for those who do not see the table move. */
export const spoken = $state<{ lines: { id: number; text: string }[] }>({ lines: [] });

const LINES_MOST = 6;
let count = 0;

export function announce(...texts: string[]): void {
  const lines = texts.filter((text) => text !== '').map((text) => ({ id: ++count, text }));
  if (lines.length === 0) return;
  untrack(() => {
    spoken.lines = [...spoken.lines, ...lines].slice(-LINES_MOST);
  });
}
