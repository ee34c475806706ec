import type { Reward, Seat } from '../../wire.gen';
import type { Placed } from './face';

/** What takes cards out of hands beside playing them. */
export type Incident =
  | { kind: 'erred'; played: Placed; earlier: Placed[] }
  | { kind: 'starred'; cards: Placed[] };

/** What happened last and is worth a look before play goes on. */
export type Story =
  | Incident
  | { kind: 'stopped'; seat: Seat }
  | {
      kind: 'completed';
      level: number;
      reward: Reward;
      /** What completed it, if it was not simply the last card. */
      by: Incident | null;
      /** The pile or piles as they were laid, and whether they had lain face down. */
      piles: { cards: Placed[]; turned: boolean }[];
      /** What the face-down cards turned out to be, if there were any. */
      check: { mistakes: number; cost: number } | null;
      /** The colour that was finished before the other was begun (Extreme). */
      oneSided: 'white' | 'red' | null;
    };
