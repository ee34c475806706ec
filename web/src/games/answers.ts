import type { Seat, Table } from '../wire.gen';

/** The viewer who asks, and the language in which lists are written. */
export interface Asker {
  table: Table;
  seat: Seat | null;
  locale: string;
}

/** What a player may ask of any game with one key. */
export type Topic = 'hand' | 'pile' | 'team' | 'counts';

/** A question, as the list of keys has it, and its answer from what the viewer knows. */
export interface Question<Seen> {
  text: () => string;
  answer: (view: Seen, asker: Asker) => string;
}

export interface Answers<Seen> {
  topics: Record<Topic, Question<Seen>>;
  /** The keys that play the game, each with what it does. */
  keys: () => { key: string; text: string }[];
}
