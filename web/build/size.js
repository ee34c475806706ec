// What a page has to load, compressed: `npm run size` after `npm run build`. `e2e/weight.spec.ts` sums what the network
// really brings; here is what the files say, in the language whose files are the largest.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '../dist');
const HOME_KB_MOST = 90;
const GAME_KB_MOST = 140;

/** @type {Record<string, { file: string; imports?: string[]; css?: string[] }>} */
const chunks = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));

/** The files of some chunks and of all that they import at once. */
function files(keys, found = new Set(), seen = new Set()) {
  for (const key of keys) {
    if (seen.has(key)) continue;
    seen.add(key);
    const { file, imports = [], css = [] } = chunks[key];
    [file, ...css].forEach((each) => found.add(each));
    files(imports, found, seen);
  }
  return found;
}

/** Fonts travel as they are. Those for other languages than ours are loaded only by names that need them. */
const fonts = [...readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/href="\/(assets\/[^"]+\.woff2)"/g)].map(([, file]) => file);
if (fonts.length === 0) throw new Error('index.html preloads no font');
const bytes = (file) => statSync(join(DIST, file)).size;
const kilobytes = (keys) =>
  [...[...files(keys)].map((file) => bytes(`${file}.br`)), ...fonts.map(bytes)].reduce((sum, each) => sum + each, 0) / 1024;

/** One part of the language whose part is the largest: visitors load only theirs. */
function longest(part) {
  const all = Object.keys(chunks).filter((key) => new RegExp(`^language:\\w+-${part}$`).test(key));
  if (all.length < 5) throw new Error(`no languages among the chunks: ${part}`);
  return all.reduce((one, other) => (bytes(`${chunks[other].file}.br`) > bytes(`${chunks[one].file}.br`) ? other : one));
}

const HOME = ['index.html', longest('home')];
/** A guest with a link passes the lobby, which draws its QR code when it is idle; the first press fetches the sounds. */
const TABLE = [...HOME, longest('table'), 'src/pages/TablePage.svelte', 'src/pages/Lobby.svelte', 'src/lib/synth.ts'];
/** The Mind games share the view of their moments. */
const isFamily = (name) =>
  readFileSync(join(import.meta.dirname, `../src/games/${name}/Game.svelte`), 'utf8').includes('/family/FamilyGame.svelte');
/** What a game fetches as soon as it is drawn. */
const atOnce = (name) =>
  [`src/games/${name}/tell.ts`, `src/games/${isFamily(name) ? 'family' : name}/MomentView.svelte`].filter((key) => key in chunks);
const games = Object.keys(chunks).flatMap((key) => /^src\/games\/(\w+)\/Game\.svelte$/.exec(key)?.[1] ?? []);
if (games.length === 0) throw new Error('no game among the chunks');
const unknown = [...TABLE, ...games.flatMap((name) => [`src/games/${name}/Demo.svelte`, ...atOnce(name)])].filter(
  (key) => !(key in chunks),
);
if (unknown.length > 0) throw new Error(`not among the chunks: ${unknown.join(', ')}`);

const rows = [
  ['home', kilobytes(HOME), HOME_KB_MOST],
  ...games.map((name) => [name, kilobytes([...TABLE, longest(name), `src/games/${name}/Game.svelte`, ...atOnce(name)]), GAME_KB_MOST]),
];
for (const [name, kb, most] of rows) console.log(`${name.padEnd(10)} ${kb.toFixed(1).padStart(6)} KB of ${most}`);
for (const name of games) {
  const more = kilobytes([...HOME, `src/games/${name}/Demo.svelte`]) - kilobytes(HOME);
  console.log(`${name.padEnd(10)} ${more.toFixed(1).padStart(6)} KB more for its demonstration, when home is idle`);
}
if (rows.some(([, kb, most]) => kb > most)) {
  console.error('more than a visitor should have to load');
  process.exitCode = 1;
}
