import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rendered } from './rules';

const page = (game: string) => readFileSync(join(import.meta.dirname, `../../docs/rules/${game}.md`), 'utf8');

describe.each(['mind', 'extreme', 'soulmates', 'royale'])('the rules page of %s', (game) => {
  const html = rendered(page(game));

  it('has nothing of tests, codes or notation', () => {
    expect(html).not.toMatch(/crates\/|\.examples|<th>clause<\/th>|<code>/);
  });

  it('keeps what players read', () => {
    const parts = [...page(game).split('## For developers')[0]!.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    const shown = [...html.matchAll(/<h2>(.*)<\/h2>/g)].map(([, title]) => title);
    expect(shown).toEqual(parts);
    expect(parts.length).toBeGreaterThan(1);
  });
});

it('a page without its part for developers is a mistake', () => {
  expect(() => rendered('# A game\n\nWords.\n')).toThrow('For developers');
});
