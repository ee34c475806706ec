import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { GAME_NAMES, GAMES, gameOf, partsOf } from '.';

const ROOT = join(import.meta.dirname, '..');
const OWN_FOLDERS = GAME_NAMES.map((name) => `games/${name}/`);
/** The list of the games, and what is generated. */
const EXEMPT = ['games/index.ts', 'wire.gen.ts'];

function sources(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'paraglide' ? [] : sources(path);
    return /\.(svelte|ts|css)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [relative(ROOT, path)] : [];
  });
}

/** What the Mind games share may name types of these games, but no game. */
const FAMILY = 'games/family/';

function code(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*|<!--[^]*?-->/g, '');
}

/** A game's name as a string, a key, a property, a class, or the folder of an import. */
function mentions(text: string): string[] {
  const name = `(${GAME_NAMES.join('|')})`;
  const named = new RegExp(`(['"\`])${name}\\1|\\b${name}:|\\.${name}\\b|/${name}/|\\bgame-${name}\\b`, 'g');
  return [...code(text).matchAll(named)].map(([found]) => found);
}

/** A generated type of one game, as in `MindView`. */
function types(text: string): string[] {
  const name = GAME_NAMES.map((game) => game[0]!.toUpperCase() + game.slice(1)).join('|');
  return [...code(text).matchAll(new RegExp(`\\b(${name})[A-Z]\\w*`, 'g'))].map(([found]) => found);
}

it('finds a game that is named in any way', () => {
  const texts = ["if ('mind' in view)", 'game === "royale"', '{ extreme: 1 }', 'view.soulmates.public', "from '../games/mind/tell'"];
  expect(texts.map((text) => mentions(text).length)).toEqual([1, 1, 1, 1, 1]);
  expect(mentions('.hand:not(.game-extreme) { }')).toHaveLength(1);
  expect(types("import type { RoyaleEntry, Seat } from '../wire.gen';")).toEqual(['RoyaleEntry']);
  expect(mentions("m.mind_level() // not 'mind'")).toEqual([]);
});

it('no source names a game outside its folder and the list of the games', () => {
  const outside = sources().filter((path) => !EXEMPT.includes(path) && !OWN_FOLDERS.some((folder) => path.startsWith(folder)));
  expect(outside.length).toBeGreaterThan(100);
  const named = outside.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const found = [...mentions(text), ...(path.startsWith(FAMILY) ? [] : types(text))];
    return found.map((each) => `${path}: ${each}`);
  });
  expect(named).toEqual([]);
});

it('every folder of a game is in the list, and the list has no other', () => {
  const folders = readdirSync(join(ROOT, 'games'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'family' ? [entry.name] : [],
  );
  expect([...GAME_NAMES].sort()).toEqual(folders.sort());
});

it.each(GAME_NAMES)('%s brings its large parts when they are asked for', async (name) => {
  const game = GAMES[name];
  const { coach } = await game.coach();
  expect(coach.ends.every((step: string) => step in coach.texts)).toBe(true);
  expect((await game.replay()).replay.turned).toBeTypeOf('function');
  expect((await (await game.clauses()).default.fr()).default).toContain('<h2');
  expect(game.title).not.toBe('');
});

it('a value belongs to the game that it names', () => {
  expect(gameOf({ soulmates: {} })).toBe('soulmates');
  expect(partsOf({ royale: { rounds: 8 } })).toMatchObject({ game: GAMES.royale, inner: { rounds: 8 } });
  expect(() => gameOf({ chess: {} })).toThrow('no game');
});
