import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, '../src');
const MESSAGES = join(SOURCES, 'paraglide/messages');
const IMPORT = /import \{ m \} from ['"][./]+\/paraglide\/messages['"]/;
const MODULE = /^language:([a-z]+)-(home|table|other)$/;

/**
 * Splits the compiled messages, so that a visitor loads one language only, and of it no more than a page needs.
 * `import('language:fr-home')` brings texts as a list, and `m.some_key` becomes `text(12)`, the text at the key's place
 * in it: no page loads a table of all keys.
 */
export function languages(): Plugin[] {
  return [languageParts(), lookups()];
}

/** Makes the parts of a language modules. Tests need no more: they have all messages at once. */
export function languageParts(): Plugin {
  return {
    name: 'language-parts',
    resolveId: (id) => (MODULE.test(id) ? `\0${id}` : undefined),
    load(id) {
      const [, locale, part] = ((id.startsWith('\0') && MODULE.exec(id.slice(1))) || []) as [string?, string?, Part?];
      if (!locale || !part) return undefined;
      const path = join(MESSAGES, `${locale}.js`);
      this.addWatchFile(path);
      return texts(readFileSync(path, 'utf8'), keys()[part]);
    },
  };
}

function lookups(): Plugin {
  let places: Map<string, number> | null = null;
  return {
    name: 'languages',
    // Components are compiled by then.
    enforce: 'post',
    buildStart: () => {
      places = null;
    },
    watchChange: () => {
      places = null;
    },
    transform(code) {
      if (!IMPORT.test(code)) return undefined;
      this.addWatchFile(join(MESSAGES, 'en.js'));
      places ??= placesOf(keys());
      return { code: lookedUp(code, places), map: null };
    },
  };
}

function placesOf({ home, table, other }: Record<Part, string[]>): Map<string, number> {
  return new Map([...home, ...table, ...other].map((key, place) => [key, place]));
}

/** A compiled source whose messages are looked up by their place. */
export function lookedUp(code: string, places: ReadonlyMap<string, number>): string {
  return code
    .replace(IMPORT, `import { text as m } from ${JSON.stringify(join(SOURCES, 'lib/language.svelte.ts'))}`)
    .replace(/(?<![\w$.])m\.([a-z0-9_]+)\b/g, (whole, key: string) => {
      const place = places.get(key);
      return place === undefined ? whole : `m(${place})`;
    });
}

/** The source files that are loaded with the home page. */
export const homeSources = () => sourcesOf(join(SOURCES, 'main.ts'));

/**
 * The source files that are loaded with the home page or by any `import(…)` from there on, but for those that
 * `withAllTexts(import(…))` brings: the home page, tables and what opens at a table.
 */
export const tableSources = () => sourcesOf(join(SOURCES, 'main.ts'), new Map(), STATIC_OR_LATER);

const STATIC = /^\s*(?:import|export) (?!type )(?:[^'"]*? from )?'(\.[^']+)'/gm;
const STATIC_OR_LATER = new RegExp(`${STATIC.source}|(?<!typeof |withAllTexts\\()\\bimport\\('(\\.[^']+)'\\)`, 'gm');

/** A source file and everything that it imports, but for `import(…)` unless the pattern has that, too. */
export function sourcesOf(path: string, found = new Map<string, string>(), pattern = STATIC): Map<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(path, 'utf8');
  found.set(path, text);
  for (const [, first, second] of text.matchAll(pattern)) {
    const base = resolve(dirname(path), (first ?? second)!);
    const file = [base, `${base}.ts`, `${base}/index.ts`].find((each) => /\.(svelte|ts)$/.test(each) && existsSync(each));
    if (file) sourcesOf(file, found, pattern);
  }
  return found;
}

type Part = 'home' | 'table' | 'other';

/** What the home page fetches when it is idle: the games' demonstrations. */
export function demoSources(): Map<string, string> {
  const games = join(SOURCES, 'games');
  const demos = readdirSync(games).map((game) => join(games, game, 'Demo.svelte'));
  const found = new Map<string, string>();
  for (const demo of demos) if (existsSync(demo)) sourcesOf(demo, found);
  return found;
}

/** Every key: those that the home page uses, those that a table uses besides, and those of all other pages. */
export function keys(): Record<Part, string[]> {
  const all = [...readFileSync(join(MESSAGES, 'en.js'), 'utf8').matchAll(/^export const (\w+) =/gm)].map(([, key]) => key!);
  if (all.length === 0) throw new Error('the compiled messages have no keys: is their output structure locale-modules?');
  const atHome = usedIn(homeSources(), demoSources());
  const atTable = usedIn(tableSources());
  const later = all.filter((key) => !atHome.has(key));
  return {
    home: all.filter((key) => atHome.has(key)),
    table: later.filter((key) => atTable.has(key)),
    other: later.filter((key) => !atTable.has(key)),
  };
}

function usedIn(...sources: Map<string, string>[]): Set<string> {
  const texts = sources.flatMap((each) => [...each.values()]);
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map(([, key]) => key!)));
}

/** Some messages of a compiled language, with the code of no other. */
function texts(compiled: string, some: string[]): string {
  const [head, ...messages] = compiled.split(/^(?=export const )/m);
  const code = new Map(messages.map((message) => [/^export const (\w+)/.exec(message)![1]!, message.replace(/^export /, '')]));
  const imports = head!.replaceAll('"../', `"${dirname(MESSAGES)}/`);
  return [imports, ...some.map((key) => code.get(key)!), `export default [${some.join(', ')}];`].join('\n');
}
