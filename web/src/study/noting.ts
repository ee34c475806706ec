import type { TableState } from '../lib/table.svelte';
import type { StudyInput, StudyName } from '../wire.gen';
import { sendNotes } from './load';
import { NoteBuffer } from './notes';

/** How often notes leave the page. */
const FLUSH_MS = 5_000;

const POINTERS: Record<string, StudyInput> = { mouse: 'mouse', touch: 'touch', pen: 'pen' };

/** What was pressed last, by the event that it was pressed with. */
function inputOf(event: Event): StudyInput {
  if (event instanceof KeyboardEvent) return 'keyboard';
  return event instanceof PointerEvent ? (POINTERS[event.pointerType] ?? 'other') : 'other';
}

/**
 * Notes the device, the screen, and what was shown and pressed when at a table of a study, until the returned function
 * is called. No decision of the table depends on it.
 */
export function takeNotes(table: TableState, study: StudyName): () => void {
  const buffer = new NoteBuffer({
    serverTime: (local) => table.serverTime(local),
    send: (notes, closing) => sendNotes(study, { notes }, closing),
  });
  let input: StudyInput = 'other';
  const press = (event: Event) => {
    input = inputOf(event);
  };
  const size = () =>
    buffer.add(performance.now(), { screen: { width: innerWidth, height: innerHeight, scale: Math.round(devicePixelRatio * 100) / 100 } });
  const turn = ({ timeStamp }: Event) => {
    const hidden = document.visibilityState === 'hidden';
    buffer.add(timeStamp, hidden ? 'hidden' : 'seen');
    if (hidden) void buffer.flush(true);
  };
  const close = () => void buffer.flush(true);
  table.observer = {
    // The frame with the update is painted by the time that a task behind it runs.
    shown: (code, seq) => requestAnimationFrame(() => setTimeout(() => buffer.add(performance.now(), { shown: { table: code, seq } }))),
    pressed: (code, client, id) => buffer.add(performance.now(), { pressed: { table: code, client, id, input } }),
  };
  size();
  if (document.visibilityState === 'hidden') buffer.add(performance.now(), 'hidden');
  if (table.update) table.observer.shown(table.id, table.update.seq);
  const timer = setInterval(() => void buffer.flush(), FLUSH_MS);
  addEventListener('pointerdown', press, true);
  addEventListener('keydown', press, true);
  addEventListener('resize', size);
  addEventListener('pagehide', close);
  document.addEventListener('visibilitychange', turn);
  return () => {
    table.observer = null;
    clearInterval(timer);
    removeEventListener('pointerdown', press, true);
    removeEventListener('keydown', press, true);
    removeEventListener('resize', size);
    removeEventListener('pagehide', close);
    document.removeEventListener('visibilitychange', turn);
    void buffer.flush(true);
  };
}
