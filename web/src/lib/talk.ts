import { m } from '../paraglide/messages';
import type { Seat } from '../wire.gen';
import type { ChatMessage } from './table.svelte';

/** Spectators talk among themselves. */
export function chatTitle(seat: Seat | null): string {
  return seat === null ? m.chat_spectators() : m.chat();
}

/** The number of the last line that another person said; 0 if none did. */
export function lastOfOthers(lines: ChatMessage[], own: { seat: Seat | null; name: string | null }): number {
  const isOwn = (line: ChatMessage) => line.seat === own.seat && line.name === own.name;
  return lines.findLast((line) => !isOwn(line))?.id ?? 0;
}
