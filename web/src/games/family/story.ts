import type { Reward, Seat } from '../../wire.gen';
import type { OwnedCard } from './face';

/** What takes cards out of hands beside playing them. */
export type Incident = { kind: 'erred'; played: OwnedCard; earlier: OwnedCard[] } | { kind: 'starred'; cards: OwnedCard[] };

/** A pile as it was laid, and whether it had lain face down. */
export interface LaidPile {
  cards: OwnedCard[];
  turned: boolean;
}

/** What the face-down cards turned out to be. */
export interface Check {
  mistakes: number;
  cost: number;
}

/** What happened last and is worth a look before play goes on. */
export type Story =
  | Incident
  | { kind: 'stopped'; seat: Seat }
  /** Face-down cards were turned over, and the game ended by it. */
  | { kind: 'turned'; piles: LaidPile[]; check: Check }
  | {
      kind: 'completed';
      level: number;
      reward: Reward;
      /** What completed it, if it was not simply the last card. */
      by: Incident | null;
      piles: LaidPile[];
      check: Check | null;
      /** The colour that was finished before the other was begun (Extreme). */
      oneSided: 'white' | 'red' | null;
    };
