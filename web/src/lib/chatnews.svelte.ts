import { m } from '../paraglide/messages';
import { announce } from './announce.svelte';
import type { ChatMessage } from './table.svelte';

/** While a component is there: says each new line of a chat once, wherever the chat is shown. */
export function announceChat(lines: () => ChatMessage[], isOwn: (line: ChatMessage) => boolean = () => false): void {
  let last: number | null = null;
  $effect(() => {
    const before = last;
    last = lines().at(-1)?.id ?? 0;
    // What was said before the viewer came is not news.
    if (before === null) return;
    const fresh = lines().filter((line) => line.id > before && !isOwn(line));
    announce(...fresh.map(({ name, text }) => m.says({ name, text })));
  });
}
