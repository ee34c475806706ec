import type { Locale } from '../paraglide/runtime';

/** The languages of the page, the one for all others first. */
export const LOCALES = ['en', 'fr', 'de', 'es', 'it'] as const satisfies readonly Locale[];

/** Where the choice is kept: for this tab alone if a study wants a language, else on this device. Paraglide wrote it under this name before. */
const KEY = 'PARAGLIDE_LOCALE';

export function isLocale(read: unknown): read is Locale {
  return LOCALES.some((locale) => locale === read);
}

/** The language that the visitor chose on this device, or the first of theirs that the page has. */
export function firstLocale(): Locale {
  const spoken = (globalThis.navigator?.languages ?? []).map((tag) => tag.split('-')[0]!.toLowerCase());
  return [kept(), ...spoken].find(isLocale) ?? LOCALES[0];
}

export function keepLocale(locale: Locale): void {
  try {
    localStorage.setItem(KEY, locale);
    sessionStorage.removeItem(KEY);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}

/** Shows a language in this tab alone, also after it is loaded again: the visitor has not chosen it. */
export function keepLocaleInTab(locale: Locale): void {
  try {
    sessionStorage.setItem(KEY, locale);
  } catch {
    // Without storage it holds until the page is closed.
  }
}

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
