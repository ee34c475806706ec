declare module 'rules:*' {
  import type { Locale } from './paraglide/runtime';

  /** Loads the rules as HTML in a language. */
  const pages: Record<Locale, () => Promise<{ default: string }>>;
  export default pages;
}
