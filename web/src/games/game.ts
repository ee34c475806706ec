import type { Component } from 'svelte';
import type { Locale } from '../paraglide/runtime';
import type { BotKind, GameName, Seat, Setup, Sight, Table, View } from '../wire.gen';
import type { Answers } from './answers';
import type { Coach } from './coach';
import type { Face, OwnedCard } from './family/face';
import type { GameComponent } from './props';

/**
 * All that the page has to know about a game. `games/index.ts` lists the games; the rest of the
 * page asks there and names no game. What is large is behind a function that fetches it.
 */
export interface Game<Agreed, Seen, Noticed> {
  /** The same in every language. */
  title: string;
  /** What it is about, in a sentence or two. */
  pitch: () => string;
  /** A small drawing on a field of 40 by 40, inside an `svg`. */
  sign: Component;
  /** A larger drawing, with the game's own cards, in the width of `--card-w`. */
  picture: Component;
  /** Ten seconds of the game that play themselves, without properties. */
  demo: () => Promise<{ default: Component }>;
  /** The bots that play it, the best partner first. */
  bots: readonly [BotKind, ...BotKind[]];
  setup: SetupTexts<Agreed>;
  /** What a game of timing is measured by; `null` if nothing is a race. */
  timing: { highestCard: number } | null;
  /** The level or round that a view is in. */
  chapter: (view: Seen) => Chapter;
  chapterName: (chapter: Chapter) => string;
  /** How far the players came by the end. */
  result: (end: Seen) => Result;
  /** What the moves were worth against the best play there is, in games where that is known. */
  judgement: Judged<Agreed, Seen> | null;
  /** The fields of a set-up that are the game's own. */
  form: () => Promise<{ default: Component<FormProps<Agreed>> }>;
  component: () => Promise<{ default: GameComponent<Seen> }>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a coach remembers is its own
  coach: () => Promise<{ coach: Coach<Seen, Noticed, any> }>;
  /** What one key answers, and the list of keys. */
  answers: () => Promise<{ answers: Answers<Seen> }>;
  replay: () => Promise<{ replay: ReplayParts<Seen> }>;
  /** The illustrated rules. */
  guide: () => Promise<{ default: Component }>;
  /** What fetches the page of `docs/rules` as HTML, by language. */
  clauses: () => Promise<{ default: Record<Locale, () => Promise<{ default: string }>> }>;
}

export interface SetupTexts<Agreed> {
  /** The gist, as in "12 levels", "2 lives". */
  gist: (setup: Agreed) => string[];
  /** What else is the game's own. */
  more: (setup: Agreed) => string[];
  /** The house rules that it has: rules that are not in the box. */
  house: (setup: Agreed) => string[];
}

export interface FormProps<Agreed> {
  setup: Agreed;
  /** A field that is `undefined` is left out, which gives it its usual value. */
  onchange: (change: { [Key in keyof Agreed]?: Agreed[Key] | undefined }) => void;
  /** Every set-up of the game that the server offers. */
  offered: Agreed[];
}

/** A level, an attempt at one, or a round. */
export interface Chapter {
  number: number;
  attempt: number;
  /** Whether the game is won already and is played on. */
  beyond: boolean;
}

/** How far a team came in levels, or what each round scored. */
export type Result = { reached: { level: number; lives: number } } | { sheet: Round[] };

/** What a round was worth, and how many rows each half of the code took. */
export interface Round {
  maker: Seat;
  points: number;
  efforts: { colours: Effort; shapes: Effort };
}

export type Effort = { solved: number } | 'unsolved';

export interface Judged<Agreed, Seen> {
  /** Whether it may be looked at now. */
  offered: (view: Seen, setup: Agreed, over: boolean) => boolean;
  dialog: () => Promise<{ default: Component<JudgementProps> }>;
}

export interface JudgementProps {
  table: Table;
  /** The address of the judgement. */
  from: string;
  /** What a saved file is called. */
  name: string;
  /** The round that is shown first. */
  first?: number | undefined;
  onclose: () => void;
}

/** What a replay shows beside the table. */
export interface ReplayParts<Seen> {
  /** The cards of a seat, face up; `null` in a game without hands. */
  hand: ((view: Seen, seat: Seat) => Face[]) | null;
  /** Piles that lay face down, turned over by `open`, the view with all hands open. */
  turned: (view: Seen, open: Seen, last: boolean) => OwnedCard[][];
  /** What a seat has been shown in secret, in words; for `all`, what any of them has. */
  secret: ((view: Seen, table: Table, eyes: Seat | 'all' | null) => string | null) | null;
}

export type GameOf<Name extends GameName> = Game<SetupOf<Name>, ViewOf<Name>, SightOf<Name>>;

/** A game whose types are not known: the caller hands it what belongs to it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- `unknown` would refuse every value
export type SomeGame = Game<any, any, any>;

/** The parts of a replay of such a game. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export type SomeReplayParts = ReplayParts<any>;

type SetupOf<Name extends GameName> = Extract<Setup, Record<Name, unknown>>[Name];
type ViewOf<Name extends GameName> = Extract<View, Record<Name, unknown>>[Name];
type SightOf<Name extends GameName> = Extract<Sight, Record<Name, unknown>>[Name];

/** The set-up of a table at which that game is played. */
export function setupOf<Name extends GameName>(table: Table, game: Name): SetupOf<Name> {
  return (table.setup as unknown as Record<Name, SetupOf<Name>>)[game];
}

/** The sights of one game. */
export function sightsOf<Name extends GameName>(sights: Sight[], game: Name): SightOf<Name>[] {
  return sights.flatMap((sight) => (game in sight ? [(sight as unknown as Record<Name, SightOf<Name>>)[game]] : []));
}
