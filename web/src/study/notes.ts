import type { StudyNote, StudyNoteKind } from '../wire.gen';

/** How many notes the server takes at once. */
export const NOTES_AT_ONCE_MOST = 500;
/** How many wait for the server. A page that is cut off for long loses its oldest ones. */
export const NOTES_WAITING_MOST = 2_000;

export interface NoteParts {
  /** What the server's clock showed at a time of the page; `null` while that is not known. */
  serverTime(local: number): number | null;
  /** Whether the server has them now. */
  send(notes: StudyNote[], closing: boolean): Promise<boolean>;
}

interface WaitingNote {
  local: number;
  what: StudyNoteKind;
}

/** Notes of the page until the server has them. */
export class NoteBuffer {
  #parts: NoteParts;
  #waiting: WaitingNote[] = [];
  #sending = false;

  constructor(parts: NoteParts) {
    this.#parts = parts;
  }

  /** Adds a note of that moment of the page's clock. */
  add(local: number, what: StudyNoteKind): void {
    this.#waiting.push({ local, what });
    this.#waiting.splice(0, this.#waiting.length - NOTES_WAITING_MOST);
  }

  /**
   * Sends what is waiting, the oldest first and once only. Notes wait on while the server's time is not known, and
   * stay if they did not arrive. A page that closes does not wait for an earlier sending.
   */
  async flush(closing = false): Promise<void> {
    if (this.#sending && !closing) return;
    const taken = this.#waiting.slice(0, NOTES_AT_ONCE_MOST);
    const notes = taken.flatMap(({ local, what }): StudyNote[] => {
      const at = this.#parts.serverTime(local);
      return at === null ? [] : [{ at, what }];
    });
    if (notes.length === 0 || notes.length < taken.length) return;
    notes.sort((one, other) => one.at - other.at);
    this.#waiting = this.#waiting.slice(taken.length);
    this.#sending = true;
    const arrived = await this.#parts.send(notes, closing);
    this.#sending = false;
    if (!arrived) this.#waiting = [...taken, ...this.#waiting].slice(-NOTES_WAITING_MOST);
  }
}
