import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const SOURCES = join(import.meta.dirname, '../src');
const MESSAGES = join(SOURCES, 'paraglide/messages');
const INDEX = join(MESSAGES, '_index.js');
const MODULE = /^language:([a-z]+)-(home|rest|guide)$/;
/** What rules pages and lessons say, which no table needs. */
const GUIDE = /^(guide|learn)_/;

/**
 * Splits the compiled messages, so that a visitor loads one language only, and on the home page only its part for that.
 * `import('language:fr-home')` brings texts as a list; `m.some_key` looks its text up by the place of its key.
 */
export function languages(): Plugin {
  return {
    name: 'languages',
    resolveId: (id) => (MODULE.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === INDEX) {
        const { home, rest, guide } = keys();
        return lookups([...home, ...rest, ...guide]);
      }
      const [, locale, part] = ((id.startsWith('\0') && MODULE.exec(id.slice(1))) || []) as [string?, string?, Part?];
      if (!locale || !part) return undefined;
      const path = join(MESSAGES, `${locale}.js`);
      this.addWatchFile(path);
      return texts(readFileSync(path, 'utf8'), keys()[part]);
    },
  };
}

/** The source files that are loaded with the home page: `main.ts` and everything that it imports, but for `import(…)`. */
export function homeSources(path = join(SOURCES, 'main.ts'), found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(path, 'utf8');
  found.set(path, text);
  for (const [, name] of text.matchAll(/^\s*(?:import|export) (?!type )(?:[^'"]*? from )?'(\.[^']+)'/gm)) {
    const base = resolve(dirname(path), name!);
    const file = [base, `${base}.ts`, `${base}/index.ts`].find((each) => /\.(svelte|ts)$/.test(each) && existsSync(each));
    if (file) homeSources(file, found);
  }
  return found;
}

type Part = 'home' | 'rest' | 'guide';

/** Every key: those that the home page uses, those of rules pages and lessons, and the rest. */
export function keys(): Record<Part, string[]> {
  const all = [...readFileSync(join(MESSAGES, 'en.js'), 'utf8').matchAll(/^export const (\w+) =/gm)].map(([, key]) => key!);
  if (all.length === 0) throw new Error('the compiled messages have no keys: is their output structure locale-modules?');
  const used = new Set([...homeSources().values()].flatMap((text) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map(([, key]) => key!)));
  const later = all.filter((key) => !used.has(key));
  return {
    home: all.filter((key) => used.has(key)),
    rest: later.filter((key) => !GUIDE.test(key)),
    guide: later.filter((key) => GUIDE.test(key)),
  };
}

function lookups(all: string[]): string {
  return [
    `import { text } from '../../lib/language.svelte';`,
    ...all.map((key, place) => `export const ${key} = /* @__PURE__ */ text(${place});`),
  ].join('\n');
}

/** Some messages of a compiled language, with the code of no other. */
function texts(compiled: string, some: string[]): string {
  const [head, ...messages] = compiled.split(/^(?=export const )/m);
  const code = new Map(messages.map((message) => [/^export const (\w+)/.exec(message)![1]!, message.replace(/^export /, '')]));
  const imports = head!.replaceAll('"../', `"${dirname(MESSAGES)}/`);
  return [imports, ...some.map((key) => code.get(key)!), `export default [${some.join(', ')}];`].join('\n');
}
