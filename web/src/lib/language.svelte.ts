import { getLocale, overwriteGetLocale, type Locale } from '../paraglide/runtime';

type Text = (inputs: object) => string;
type Part = () => Promise<{ default: readonly Text[] }>;

/** A language is three files: what the home page says, what tables say besides, and what all other pages say. */
const LANGUAGES: Record<Locale, readonly [Part, Part, Part]> = {
  en: [() => import('language:en-home'), () => import('language:en-table'), () => import('language:en-other')],
  fr: [() => import('language:fr-home'), () => import('language:fr-table'), () => import('language:fr-other')],
  de: [() => import('language:de-home'), () => import('language:de-table'), () => import('language:de-other')],
  es: [() => import('language:es-home'), () => import('language:es-table'), () => import('language:es-other')],
  it: [() => import('language:it-home'), () => import('language:it-table'), () => import('language:it-other')],
};
const TABLE = 2;
const ALL = 3;

interface Wanted {
  locale: Locale;
  /** How many of the files, from the first one on. */
  files: number;
}

/** The language that is shown, and those of its texts that are loaded. */
class Language {
  #locale = $state<Locale>(getLocale());
  #texts = $state.raw<readonly Text[]>([]);
  #wanted: Wanted = { locale: this.#locale, files: 1 };
  #loading = Promise.resolve();

  constructor() {
    overwriteGetLocale(() => this.#locale);
  }

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

  /** Loads this many of the language's files. */
  load(files: number): Promise<void> {
    return this.#wanted.files >= files ? this.#loading : this.#want({ ...this.#wanted, files });
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
    const wantedParts = LANGUAGES[wanted.locale].slice(0, wanted.files);
    const parts = await Promise.all(wantedParts.map((part) => part()));
    // A later wish asks for at least as much: wait for that one.
    if (this.#wanted !== wanted) return this.#loading;
    this.#texts = parts.flatMap((part) => part.default);
    this.#locale = wanted.locale;
  }
}

export const language = new Language();

/** The message at a place in the list of texts, in the language that is shown. */
export function text(place: number): (inputs?: object) => string {
  return (inputs = {}) => language.text(place)(inputs);
}

/** A part of the page that is loaded later, and the texts that a table needs. */
export async function withTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, language.load(TABLE)]);
  return loaded;
}

/** The same for what a table does not need: its texts stand in the third file (`build/languages.ts` finds them by this name). */
export async function withAllTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, language.load(ALL)]);
  return loaded;
}
