import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const LOCALES = ['en', 'fr', 'de', 'es', 'it'] as const;

/** A message with forms, as inlang's message format has it. */
interface Forms {
  declarations: string[];
  selectors: string[];
  match: Record<string, string>;
}
type Message = string | Forms[];
type Catalogue = Map<string, Message>;

function catalogue(locale: string): Catalogue {
  const files = readdirSync(join(ROOT, 'messages')).filter((file) => file.startsWith(`${locale}.`));
  const entries = files.flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(ROOT, 'messages', file), 'utf8')) as Record<string, Message>),
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

/** Every text that a message can become. */
function textsOf(message: Message): string[] {
  return typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));
}

/** The names in braces that a text wants filled in. */
function inputs(text: string): string[] {
  const names = [...text.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]!);
  return [...new Set(names)].sort();
}

/** Every text of a catalogue with a pattern in it, by its key. */
function found(messages: Catalogue, pattern: RegExp): string[] {
  return [...messages].flatMap(([key, message]) =>
    textsOf(message)
      .filter((text) => pattern.test(text))
      .map((text) => `${key}: ${text}`),
  );
}

/** What is counted, by the name of its input: how many of a thing there are. */
const COUNTS = ['count', 'taken', 'plays', 'waits', 'rows', 'teams', 'cost', 'black', 'white'];
/** Here the cost is a figure with decimals, which arrives as text. */
const FIGURES = ['judge_lucky', 'judge_unlucky', 'judge_better_by'];

const english = catalogue('en');

describe.each(LOCALES)('the catalogue %s', (locale) => {
  const messages = catalogue(locale);

  it('has every key, and no other', () => {
    expect([...messages.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('fills in what the English one does', () => {
    const all = (message: Message) => inputs(textsOf(message).join(' '));
    for (const [key, message] of messages) expect([key, all(message)]).toEqual([key, all(english.get(key)!)]);
  });

  it('leaves nothing empty', () => {
    for (const [key, message] of messages) expect([key, message]).not.toEqual([key, '']);
  });

  it('has a form for every number of a counted thing', () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    let counted = 0;
    for (const [key, message] of messages) {
      const counts = inputs(textsOf(message).join(' ')).filter((name) => COUNTS.includes(name));
      if (counts.length === 0 || FIGURES.includes(key)) continue;
      counted += 1;
      expect([key, typeof message]).toEqual([key, 'object']);
      const [{ declarations, selectors, match }] = message as [Forms];
      const locals = counts.map((name) => declarations.find((line) => line.endsWith(`= ${name}: plural`))?.split(' ')[1]);
      expect([key, [...locals].sort()]).toEqual([key, [...selectors].sort()]);
      const wanted = selectors.reduce(
        (all, name) => all.flatMap((form) => categories.map((category) => [...form, `${name}=${category}`])),
        [[]] as string[][],
      );
      expect([key, Object.keys(match).sort()]).toEqual([key, wanted.map((form) => form.join(', ')).sort()]);
    }
    expect(counted).toBeGreaterThan(20);
  });

  it('says bot, and not machine or robot', () => {
    expect(found(messages, /machine|maschine|máquina|macchina|robot/i)).toEqual([]);
  });

  it('claims of no rule of ours that it is printed', () => {
    expect(
      found(
        messages,
        /as printed|exactly as|comme imprimé|exactement selon|wie gedruckt|genau wie|tal como está impreso|come stampato|proprio come/i,
      ),
    ).toEqual([]);
  });
});

it('English names people and things, without riddles', () => {
  expect(found(english, /\b(whoever|nobody|somebody|those who|so many|what came of it|looks? on|looking on|in step)\b/i)).toEqual([]);
});

it('German says du, and never Sie or ihr', () => {
  const german = catalogue('de');
  expect(found(german, /\b(ihr|euch|euer|eure[mnrs]?)\b/i)).toEqual([]);
  expect(found(german, /\b(Ihnen|Ihre[mnrs]?)\b|[a-zäöüß,] Sie\b/)).toEqual([]);
  expect(found(german, /\b(du|dein|deine[mnrs]?|dich|dir)\b/i).length).toBeGreaterThan(20);
});

it('French says vous, and never tu', () => {
  const french = catalogue('fr');
  expect(found(french, /(?<![\p{L}’-])(tu|te|toi|ton|ta|tes)(?![\p{L}’])|(?<![\p{L}])t’/iu)).toEqual([]);
  expect(found(french, /(?<!\p{L})(vous|votre|vos)(?!\p{L})/iu).length).toBeGreaterThan(20);
});

it('French puts no name where it would have to elide, as in “de Ada”', () => {
  expect(found(catalogue('fr'), /(?<!\p{L})(de|que|le|la) \{names?\}/iu)).toEqual([]);
});

it('French keeps its double signs on the line of their word', () => {
  expect(found(catalogue('fr'), / [:;?!»]|« /)).toEqual([]);
});

it('French uses the words of the printed rules', () => {
  expect(found(catalogue('fr'), /\bVoyant\b|\bgrille\b|\bfiches?\b|\blignes?\b/)).toEqual([]);
});

it('Spanish says tú, and neither usted nor vosotros', () => {
  const spanish = catalogue('es');
  expect(found(spanish, /(?<!\p{L})(usted(es)?|vosotr[oa]s|vuestr[oa]s?|os|sois|\p{L}+[áé]is)(?!\p{L})/iu)).toEqual([]);
  expect(found(spanish, /(?<!\p{L})(tú|tus?|te|ti|contigo)(?!\p{L})/iu).length).toBeGreaterThan(20);
});

it('Spanish opens what it asks and exclaims', () => {
  const spanish = catalogue('es');
  const count = (text: string, sign: string) => text.split(sign).length;
  const uneven = [...spanish.values()]
    .flatMap(textsOf)
    .filter((text) => count(text, '¿') !== count(text, '?') || count(text, '¡') !== count(text, '!'));
  expect(uneven).toEqual([]);
  expect(found(spanish, /¿/).length).toBeGreaterThan(5);
});

it('Italian says tu, and neither Lei nor voi', () => {
  const italian = catalogue('it');
  expect(found(italian, /(?<!\p{L})(voi|vi|vostr[oaie]|siete|avete|potete|dovete|Lei)(?!\p{L})/u)).toEqual([]);
  expect(found(italian, /(?<!\p{L})(tuo?|tua|tuoi|tue|te|ti)(?!\p{L})/iu).length).toBeGreaterThan(20);
});

it('Spanish and Italian put no name where a word before it would have to change, as in “y Inés” or “a Ada”', () => {
  expect(found(catalogue('es'), /(?<!\p{L})[yo] \{(name|names|second)\}/iu)).toEqual([]);
  expect(found(catalogue('it'), /(?<!\p{L})[aeo] \{(name|names|second)\}/iu)).toEqual([]);
});

it('the glossary gives the words that the catalogues use', () => {
  const glossary = readFileSync(join(ROOT, '../docs/glossary.md'), 'utf8');
  const rows = [...glossary.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].filter(
    ([, term]) => term !== 'term',
  );
  let compared = 0;
  for (const [column, locale] of [
    [2, 'fr'],
    [3, 'de'],
    [4, 'es'],
    [5, 'it'],
  ] as const) {
    const texts = [...catalogue(locale).values()].flatMap(textsOf).join('\n').toLowerCase();
    for (const row of rows) {
      const words = row[column]!.split('; ').filter((word) => word !== '–');
      compared += words.length;
      for (const word of words) expect([row[1], texts.includes(word.toLowerCase())]).toEqual([row[1], true]);
    }
  }
  expect(compared).toBeGreaterThan(150);
});

it('no key is unused or unknown', () => {
  const used = new Set(sources(join(ROOT, 'src')).flatMap((text) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map((match) => match[1]!)));
  expect([...used].filter((key) => !english.has(key))).toEqual([]);
  expect([...english.keys()].filter((key) => !used.has(key))).toEqual([]);
});
