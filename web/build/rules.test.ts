import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GAME_NAMES } from '../src/games';
import { LANGUAGES, pathOf, rendered } from './rules';

const page = (game: string, language: (typeof LANGUAGES)[number]) => readFileSync(pathOf(game, language), 'utf8');
const players = (markdown: string) => markdown.split('## For developers')[0]!;
const clauses = (markdown: string) => [...players(markdown).matchAll(/^\*\*([A-Z]\d+)\*\*/gm)].map(([, id]) => id);
/** The rows of every table, as what is in them apart from words. */
const tables = (markdown: string) => [...players(markdown).matchAll(/^\|.*\|$/gm)].map(([row]) => row.split('|').length);

describe.each(GAME_NAMES.flatMap((game) => LANGUAGES.map((language) => [game, language] as const)))(
  'the clauses of %s in %s',
  (game, language) => {
    const markdown = page(game, language);
    const html = rendered(markdown, language);

    it('have nothing of tests, codes or notation', () => {
      expect(html).not.toMatch(/crates\/|\.examples|<th>clause<\/th>|<code>|variant=/);
    });

    it('keep what players read', () => {
      const parts = [...players(markdown).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      const shown = [...html.matchAll(/<h2>(.*)<\/h2>/g)].map(([, title]) => title);
      expect(shown).toEqual(parts);
      expect(parts.length).toBeGreaterThan(1);
    });

    it('are those of the English page, in its order and with its tables', () => {
      const english = page(game, 'en');
      expect(clauses(english).length).toBeGreaterThan(2);
      expect(clauses(markdown)).toEqual(clauses(english));
      expect(tables(markdown)).toEqual(tables(english));
    });
  },
);

it('a page without its part for developers is a mistake', () => {
  expect(() => rendered('# A game\n\nWords.\n', 'en')).toThrow('For developers');
});
