import { partsOf } from '../games';
import type { Chapter } from '../games/game';
import { isOver, outcomeOf } from '../lib/stage';
import type { Frame, Replay, FrameView, View } from '../wire.gen';

/** Through whose eyes a game is watched again: a seat's, those of the people who looked on, or all hands open. */
export type Eyes = number | 'spectator' | 'open';

export function shownTo(frame: Frame, eyes: Eyes): FrameView {
  if (eyes === 'spectator' || eyes === 'open') return frame[eyes];
  return frame.seats[eyes] ?? frame.spectator;
}

export function chapterOf(view: View): Chapter {
  const { game, inner } = partsOf(view);
  return game.chapter(inner);
}

/** Where each chapter begins. */
export function chapters(frames: Frame[]): (Chapter & { index: number })[] {
  const found: (Chapter & { index: number })[] = [];
  frames.forEach(({ spectator }, index) => {
    const chapter = chapterOf(spectator.view);
    const last = found.at(-1);
    const same = last && last.number === chapter.number && last.attempt === chapter.attempt && last.beyond === chapter.beyond;
    if (!same) found.push({ ...chapter, index });
  });
  return found;
}

/** The last frame that had happened by then. */
export function indexAt(frames: Frame[], at: number): number {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle]!.at <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How long the last moment is looked at, in microseconds. */
const LINGER = 2_000_000;

/** Everything that is looked at; a game that was ended early gets a moment for that. */
export function framesOf({ table, frames }: Replay): Frame[] {
  const last = frames.at(-1);
  const endedEarly = isOver(table) && outcomeOf(table) === null;
  if (!last || !endedEarly) return frames;
  const quiet = ({ view }: FrameView): FrameView => ({ sights: [], view });
  const { seats, spectator, open } = last;
  return [...frames, { at: last.at + LINGER, by: null, seats: seats.map(quiet), spectator: quiet(spectator), open: quiet(open) }];
}

/** Minutes and seconds, as in 1:05.3. */
export function clock(micros: number, locale: string): string {
  const tenths = Math.floor(micros / 100_000);
  const seconds = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, minimumFractionDigits: 1 }).format((tenths % 600) / 10);
  return `${Math.floor(tenths / 600)}:${seconds}`;
}
