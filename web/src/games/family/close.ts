import type { PhotoFinish, Seat } from '../../wire.gen';
import type { OwnedCard } from './face';
import type { Scene } from './scene';

/** Two cards that were too close to tell apart, in the order in which they count. */
export interface CloseCall {
  kind: 'close';
  first: OwnedCard;
  second: OwnedCard;
}

/** Waits for both cards of a photo finish: the table tells of it with the first one, and the second follows. */
export class CloseCalls {
  #waiting: { first: OwnedCard; second: Seat } | null = null;

  /** What an update brought: its photo finish, and the cards that were laid. */
  see(photo: PhotoFinish | null, played: OwnedCard[]): CloseCall | null {
    const first = photo && played.findLast(({ seat }) => seat === photo.first);
    if (first) this.#waiting = { first, second: photo.second };
    const second = played.find(({ seat }) => seat === this.#waiting?.second);
    if (!this.#waiting || !second) {
      // The other press came to nothing, unless the first card is all that has come yet.
      if (!first) this.#waiting = null;
      return null;
    }
    const close: CloseCall = { kind: 'close', first: this.#waiting.first, second };
    this.#waiting = null;
    return close;
  }
}

/** A close call is told first, and instead of the card that landed: it shows that card. */
export function withClose(close: CloseCall | null, scenes: Scene[] | undefined): Scene[] | undefined {
  return close ? [close, ...(scenes ?? []).filter(({ kind }) => kind !== 'landed')] : scenes;
}
