import { untrack } from 'svelte';
import { m } from '../paraglide/messages';
import type { Cue, SeatCard } from './sound';

/** What was heard last, in words, for as long as it is shown. */
export const captions = $state<{ lines: { id: number; text: string }[] }>({ lines: [] });

const NAMES: Record<Exclude<Cue, SeatCard>, () => string> = {
  card: m.cue_card,
  begin: m.cue_begin,
  rest: m.cue_rest,
  mistake: m.cue_mistake,
  'last-life': m.cue_last_life,
  star: m.cue_star,
  slate: m.cue_slate,
  deal: m.cue_deal,
  close: m.cue_close,
  complete: m.cue_complete,
  won: m.cue_won,
  lost: m.cue_lost,
  stop: m.cue_stop,
  turn: m.cue_turn,
  pegs: m.cue_pegs,
  uncover: m.cue_turn,
};
const SHOWN_MS = 2_500;
const LINES_MOST = 2;
let count = 0;

export function caption(name: Cue): void {
  const id = ++count;
  untrack(() => {
    captions.lines = [...captions.lines, { id, text: nameOf(name) }].slice(-LINES_MOST);
  });
  setTimeout(() => (captions.lines = captions.lines.filter((line) => line.id !== id)), SHOWN_MS);
}

function nameOf(name: Cue): string {
  return name in NAMES ? NAMES[name as keyof typeof NAMES]() : m.cue_card();
}
