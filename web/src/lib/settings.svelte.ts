import type { Locale } from '../paraglide/runtime';
import { language } from './language.svelte';
import { isLocale, keepLocale } from './locale';

export type Theme = 'system' | 'dark' | 'light';

interface Saved {
  theme: Theme;
  /** How loud the page is, from 0 (off) to 100. */
  volume: number;
  /** The sound of still water in the background. */
  water: boolean;
  /** Sounds are shown in words, too. */
  captions: boolean;
  vibration: boolean;
  /** Cards are heard before they are spoken, each seat by its own sound, and words are short. */
  soundFirst: boolean;
  /** Whether a big screen keeps the code of its table to itself, as for a stream. */
  hideCode: boolean;
  /** Whether letters ask questions at a table. Some people need them for other software. */
  letterKeys: boolean;
}

const KEY = 'unspoken.settings';
const VOLUME = 70;

function saved(): Saved {
  const plain: Saved = {
    theme: 'system',
    volume: VOLUME,
    water: false,
    captions: false,
    vibration: true,
    soundFirst: false,
    hideCode: false,
    letterKeys: true,
  };
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Saved> & { sound?: unknown };
    const theme = (['system', 'dark', 'light'] as const).find((name) => name === read.theme);
    return {
      theme: theme ?? plain.theme,
      // Before there was a volume, sound was on or off.
      volume: isVolume(read.volume) ? read.volume : read.sound === false ? 0 : plain.volume,
      water: read.water === true,
      captions: read.captions === true,
      vibration: typeof read.vibration === 'boolean' ? read.vibration : plain.vibration,
      soundFirst: read.soundFirst === true,
      hideCode: read.hideCode === true,
      letterKeys: read.letterKeys !== false,
    };
  } catch {
    return plain;
  }
}

function isVolume(read: unknown): read is number {
  return typeof read === 'number' && read >= 0 && read <= 100;
}

/** The person's preferences on this device. */
class Settings {
  #now = $state<Saved>(saved());

  constructor() {
    this.#show();
  }

  get theme(): Theme {
    return this.#now.theme;
  }
  set theme(theme: Theme) {
    this.#now.theme = theme;
    this.#keep();
  }

  get volume(): number {
    return this.#now.volume;
  }
  set volume(volume: number) {
    this.#now.volume = volume;
    this.#keep();
  }

  /** Turns the sound off, or on again as loud as it is at first. */
  set isHeard(heard: boolean) {
    this.volume = heard ? VOLUME : 0;
  }

  get water(): boolean {
    return this.#now.water;
  }
  set water(water: boolean) {
    this.#now.water = water;
    this.#keep();
  }

  get captions(): boolean {
    return this.#now.captions;
  }
  set captions(captions: boolean) {
    this.#now.captions = captions;
    this.#keep();
  }

  get vibration(): boolean {
    return this.#now.vibration;
  }
  set vibration(vibration: boolean) {
    this.#now.vibration = vibration;
    this.#keep();
  }

  get soundFirst(): boolean {
    return this.#now.soundFirst;
  }
  set soundFirst(soundFirst: boolean) {
    this.#now.soundFirst = soundFirst;
    this.#keep();
  }

  get hideCode(): boolean {
    return this.#now.hideCode;
  }
  set hideCode(hideCode: boolean) {
    this.#now.hideCode = hideCode;
    this.#keep();
  }

  get letterKeys(): boolean {
    return this.#now.letterKeys;
  }
  set letterKeys(letterKeys: boolean) {
    this.#now.letterKeys = letterKeys;
    this.#keep();
  }

  get locale(): Locale {
    return language.locale;
  }
  set locale(locale: string) {
    if (isLocale(locale)) void this.#speak(locale);
  }

  async #speak(locale: Locale): Promise<void> {
    try {
      await language.choose(locale);
    } catch {
      // Without the server its texts cannot be loaded, and the language stays as it is.
      return;
    }
    keepLocale(language.locale);
    this.#show();
  }

  #keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#now));
    } catch {
      // Without storage the choice holds until the page is closed.
    }
    this.#show();
  }

  #show(): void {
    const root = document.documentElement;
    root.lang = language.locale;
    if (this.#now.theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = this.#now.theme;
  }
}

export const settings = new Settings();
