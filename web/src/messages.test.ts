import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const LOCALES = ['en', 'fr', 'de'] as const;

type Catalogue = Map<string, unknown>;

function catalogue(locale: string): Catalogue {
  const files = readdirSync(join(ROOT, 'messages')).filter((file) => file.startsWith(`${locale}.`));
  const entries = files.flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(ROOT, 'messages', file), 'utf8')) as object),
  );
  return new Map(entries.filter(([key]) => !key.startsWith('$')));
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'paraglide' ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

/** The names in braces that a message wants filled in. */
function inputs(message: unknown): string[] {
  const names = [...JSON.stringify(message).matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]!);
  return [...new Set(names)].sort();
}

const english = catalogue('en');

describe.each(LOCALES)('the catalogue %s', (locale) => {
  const messages = catalogue(locale);

  it('has every key, and no other', () => {
    expect([...messages.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('fills in what the English one does', () => {
    for (const [key, message] of messages) expect([key, inputs(message)]).toEqual([key, inputs(english.get(key))]);
  });

  it('leaves nothing empty', () => {
    for (const [key, message] of messages) expect([key, message]).not.toEqual([key, '']);
  });
});

it('no key is unused or unknown', () => {
  const used = new Set(sources(join(ROOT, 'src')).flatMap((text) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map((match) => match[1]!)));
  expect([...used].filter((key) => !english.has(key))).toEqual([]);
  expect([...english.keys()].filter((key) => !used.has(key))).toEqual([]);
});
