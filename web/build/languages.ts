import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, '../src');
const MESSAGES = join(SOURCES, 'paraglide/messages');
const GAMES = join(SOURCES, 'games');
const IMPORT = /import \{ m \} from ['"][./]+\/paraglide\/messages['"]/;
const MODULE = /^language:(?:parts|([a-z]+)-(\w+))$/;

/**
 * Splits the compiled messages, so that a visitor loads one language only, and of it no more than a page needs.
 * `import('language:fr-home')` brings texts in runs, each behind the place of its first one in the list of all texts,
 * and `m.some_key` becomes `text(12)`, the text at the key's place in it: no page loads a table of all keys.
 * `language:parts` has what fetches each part of each language.
 */
export function languages(): Plugin[] {
  return [languageParts(), lookups()];
}

/** Makes the parts of a language modules. Tests need no more: they have all messages at once. */
export function languageParts(): Plugin {
  const known = perBuild(() => ({ parts: keys(), places: placesOf(keys()) }));
  return {
    name: 'language-parts',
    ...known.hooks,
    resolveId: (id) => (MODULE.test(id) ? `\0${id}` : undefined),
    load(id) {
      const match = id.startsWith('\0') ? MODULE.exec(id.slice(1)) : null;
      if (!match) return undefined;
      const [, locale, part] = match;
      const { parts, places } = known.get();
      this.addWatchFile(join(MESSAGES, 'en.js'));
      if (!locale || !part) return loaders(Object.keys(parts));
      const path = join(MESSAGES, `${locale}.js`);
      this.addWatchFile(path);
      return texts(readFileSync(path, 'utf8'), parts[part]!, places);
    },
  };
}

function lookups(): Plugin {
  const places = perBuild(() => placesOf(keys()));
  return {
    name: 'languages',
    // Components are compiled by then.
    enforce: 'post',
    ...places.hooks,
    transform(code) {
      if (!IMPORT.test(code)) return undefined;
      this.addWatchFile(join(MESSAGES, 'en.js'));
      return { code: lookedUp(code, places.get()), map: null };
    },
  };
}

/** A value that is found once, and again after a source has changed. */
function perBuild<T>(find: () => T): { get: () => T; hooks: { buildStart: () => void; watchChange: () => void } } {
  let value: T | null = null;
  const forget = () => {
    value = null;
  };
  return { get: () => (value ??= find()), hooks: { buildStart: forget, watchChange: forget } };
}

/** Every key by its place: keys of the same parts stand together, so that each part is a few runs. */
export function placesOf(parts: Record<string, string[]>): Map<string, number> {
  const readers = new Map<string, string>();
  for (const [part, some] of Object.entries(parts)) for (const key of some) readers.set(key, `${readers.get(key) ?? ''} ${part}`);
  const groups = new Map<string, string[]>();
  for (const [key, who] of readers) groups.set(who, [...(groups.get(who) ?? []), key]);
  return new Map([...groups.values()].flat().map((key, place) => [key, place]));
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

/** The source files that are loaded with the home page or, from there on, by `import(…)` alone or in `withTexts`. */
export const tableSources = () => sourcesOf(join(SOURCES, 'main.ts'), new Map(), laterBut('More|Game|All'));

/** The same with what is opened on request: what `withMoreTexts(import(…))` brings, too. */
export const moreSources = () => sourcesOf(join(SOURCES, 'main.ts'), new Map(), laterBut('Game|All'));

/** The source files of a game's table and its answers. */
export function gameSources(game: string): Map<string, string> {
  // The list of the games leads from any of them to all others.
  const others = gameFolders().filter((other) => other !== game);
  const found = new Map(others.map((other) => [join(GAMES, other, 'index.ts'), '']));
  return sourcesOf(join(GAMES, game, 'index.ts'), found, laterBut('More|All'));
}

const STATIC = /^\s*(?:import|export) (?!type )(?:[^'"]*? from )?'(\.[^']+)'/gm;

/** Imports, at once or later, but for those in `withMoreTexts(…)` and its like. */
function laterBut(kinds: string): RegExp {
  return new RegExp(`${STATIC.source}|(?<!typeof |with(?:${kinds})Texts\\()\\bimport\\('(\\.[^']+)'\\)`, 'gm');
}

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

/** What the home page fetches when it is idle: the games' demonstrations. */
export function demoSources(): Map<string, string> {
  const demos = gameFolders().map((game) => join(GAMES, game, 'Demo.svelte'));
  const found = new Map<string, string>();
  for (const demo of demos) sourcesOf(demo, found);
  return found;
}

/** The folders of the games; what the Mind games share has no descriptor. */
const gameFolders = () => readdirSync(GAMES).filter((name) => existsSync(join(GAMES, name, 'index.ts')));

/**
 * Every key by the parts that have it: those that the home page uses, and without these those that a table uses, those
 * of what is opened on request, and the rest. What a game says is a part of its own; the rest has it, too.
 */
export function keys(): { home: string[]; table: string[]; more: string[]; other: string[] } & Record<string, string[]> {
  const all = [...readFileSync(join(MESSAGES, 'en.js'), 'utf8').matchAll(/^export const (\w+) =/gm)].map(([, key]) => key!);
  if (all.length === 0) throw new Error('the compiled messages have no keys: is their output structure locale-modules?');
  const known = new Set<string>();
  const besides = (used: ReadonlySet<string>) => all.filter((key) => used.has(key) && !known.has(key));
  const level = (used: ReadonlySet<string>) => {
    const some = besides(used);
    some.forEach((key) => known.add(key));
    return some;
  };
  const home = level(usedIn(homeSources(), demoSources()));
  const table = level(usedIn(tableSources()));
  const games = gameFolders().map((game): [string, string[]] => [game, besides(usedIn(gameSources(game)))]);
  const more = level(usedIn(moreSources()));
  return { home, table, more, other: level(new Set(all)), ...Object.fromEntries(games) };
}

function usedIn(...sources: Map<string, string>[]): Set<string> {
  const texts = sources.flatMap((each) => [...each.values()]);
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map(([, key]) => key!)));
}

/** What fetches each part of each language. */
function loaders(parts: string[]): string {
  const locales = readdirSync(MESSAGES).flatMap((file) => /^([a-z]+)\.js$/.exec(file)?.[1] ?? []);
  const of = (locale: string) => parts.map((part) => `${part}: () => import('language:${locale}-${part}')`).join(', ');
  return `export default { ${locales.map((locale) => `${locale}: { ${of(locale)} }`).join(', ')} };`;
}

/** Some messages of a compiled language with their places, and the code of no other. */
function texts(compiled: string, some: string[], places: ReadonlyMap<string, number>): string {
  const [head, ...messages] = compiled.split(/^(?=export const )/m);
  const code = new Map(messages.map((message) => [/^export const (\w+)/.exec(message)![1]!, message.replace(/^export /, '')]));
  const imports = head!.replaceAll('"../', `"${dirname(MESSAGES)}/`);
  const runs: (string | number)[][] = [];
  let next = -1;
  for (const key of [...some].sort((one, other) => places.get(one)! - places.get(other)!)) {
    const place = places.get(key)!;
    if (place !== next) runs.push([place]);
    runs.at(-1)!.push(key);
    next = place + 1;
  }
  const lists = runs.map((run) => `[${run.join(', ')}]`);
  return [imports, ...some.map((key) => code.get(key)!), `export default [${lists.join(', ')}];`].join('\n');
}
