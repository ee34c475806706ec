import type { Locale } from '../paraglide/runtime';
import type { GameName } from '../wire.gen';
import LANGUAGES, { type Text } from 'language:parts';
import { firstLocale } from './locale';

/** Parts of a language, each with what it needs besides the ones before it. What a game says is a part of its own. */
const LEVELS = ['home', 'table', 'more', 'other'] as const;
type Level = (typeof LEVELS)[number];

interface Wanted {
  locale: Locale;
  /** How many of the levels, from the first one on. */
  levels: number;
  games: readonly GameName[];
}

/** The language that is shown, and those of its texts that are loaded. */
class Language {
  #locale = $state<Locale>(firstLocale());
  #texts = $state.raw<readonly Text[]>([]);
  #wanted: Wanted = { locale: this.#locale, levels: 1, games: [] };
  #loading = Promise.resolve();

  get locale(): Locale {
    return this.#locale;
  }

  text(place: number): Text {
    return this.#texts[place]!;
  }

  /** Shows another language as soon as its texts are here. */
  choose(locale: Locale): Promise<void> {
    return this.#want({ ...this.#wanted, locale });
  }

  /** Loads the language's parts up to this one. */
  load(level: Level): Promise<void> {
    const levels = LEVELS.indexOf(level) + 1;
    return this.#wanted.levels >= levels ? this.#loading : this.#want({ ...this.#wanted, levels });
  }

  /** Loads what a game says. The last level has the texts of all games. */
  loadGame(game: GameName): Promise<void> {
    const { games, levels } = this.#wanted;
    const isKnown = games.includes(game) || levels === LEVELS.length;
    return isKnown ? this.#loading : this.#want({ ...this.#wanted, games: [...games, game] });
  }

  #want(wanted: Wanted): Promise<void> {
    const before = this.#wanted;
    this.#wanted = wanted;
    this.#loading = this.#load(wanted).catch((error: unknown) => {
      // The next wish asks again for what could not be loaded.
      if (this.#wanted === wanted) this.#wanted = before;
      throw error;
    });
    return this.#loading;
  }

  async #load(wanted: Wanted): Promise<void> {
    const names = [...LEVELS.slice(0, wanted.levels), ...wanted.games];
    const parts = await Promise.all(names.map((name) => LANGUAGES[wanted.locale][name]()));
    // A later wish asks for at least as much: wait for that one.
    if (this.#wanted !== wanted) return this.#loading;
    const texts: Text[] = [];
    for (const [first, ...run] of parts.flatMap((part) => part.default)) {
      run.forEach((each, index) => (texts[first + index] = each));
    }
    this.#texts = texts;
    this.#locale = wanted.locale;
  }
}

export const language = new Language();

/** The message at a place in the list of texts, in the language that is shown. */
export function text(place: number): (inputs?: object) => string {
  return (inputs = {}) => language.text(place)(inputs);
}

// `build/languages.ts` finds what each of these brings by their names.

/** A part of the page that is loaded later, and the texts that a table needs at once. */
export function withTexts<T>(part: Promise<T>): Promise<T> {
  return both(part, language.load('table'));
}

/** The same for what is opened on request, at a table or on the home page. */
export function withMoreTexts<T>(part: Promise<T>): Promise<T> {
  return both(part, language.load('more'));
}

/** The same for what a table does not need: records, replays, rules pages, lessons, forms and reports after a game. */
export function withAllTexts<T>(part: Promise<T>): Promise<T> {
  return both(part, language.load('other'));
}

/** A part of a game, and what the game says. */
export function withGameTexts<T>(part: Promise<T>, game: GameName): Promise<T> {
  return both(part, language.loadGame(game));
}

async function both<T>(part: Promise<T>, texts: Promise<void>): Promise<T> {
  const [loaded] = await Promise.all([part, texts]);
  return loaded;
}
