import { getLocale, isLocale, overwriteGetLocale, setLocale, type Locale } from '../paraglide/runtime';

export type Theme = 'system' | 'dark' | 'light';

interface Saved {
  theme: Theme;
  sound: boolean;
  vibration: boolean;
  /** Whether a big screen keeps the code of its table to itself, as for a stream. */
  hideCode: boolean;
}

const KEY = 'unspoken.settings';

function saved(): Saved {
  const plain: Saved = { theme: 'system', sound: true, vibration: true, hideCode: false };
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Saved>;
    const theme = (['system', 'dark', 'light'] as const).find((name) => name === read.theme);
    return {
      theme: theme ?? plain.theme,
      sound: typeof read.sound === 'boolean' ? read.sound : plain.sound,
      vibration: typeof read.vibration === 'boolean' ? read.vibration : plain.vibration,
      hideCode: typeof read.hideCode === 'boolean' ? read.hideCode : plain.hideCode,
    };
  } catch {
    return plain;
  }
}

/** What somebody likes on this device. */
class Settings {
  #now = $state<Saved>(saved());
  #locale = $state<Locale>(getLocale());

  constructor() {
    overwriteGetLocale(() => this.#locale);
    this.#show();
  }

  get theme(): Theme {
    return this.#now.theme;
  }
  set theme(theme: Theme) {
    this.#now.theme = theme;
    this.#keep();
  }

  get sound(): boolean {
    return this.#now.sound;
  }
  set sound(sound: boolean) {
    this.#now.sound = sound;
    this.#keep();
  }

  get vibration(): boolean {
    return this.#now.vibration;
  }
  set vibration(vibration: boolean) {
    this.#now.vibration = vibration;
    this.#keep();
  }

  get hideCode(): boolean {
    return this.#now.hideCode;
  }
  set hideCode(hideCode: boolean) {
    this.#now.hideCode = hideCode;
    this.#keep();
  }

  get locale(): Locale {
    return this.#locale;
  }
  set locale(locale: string) {
    if (!isLocale(locale)) return;
    void setLocale(locale, { reload: false });
    this.#locale = locale;
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
    root.lang = this.#locale;
    if (this.#now.theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = this.#now.theme;
  }
}

export const settings = new Settings();
