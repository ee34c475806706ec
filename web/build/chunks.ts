import { join } from 'node:path';
import { demoSources, homeSources, sourcesOf } from './languages';

const SOURCES = join(import.meta.dirname, '../src');

/**
 * Which files are fetched together: a hundred small ones compress worse than a few. Each group has what the groups
 * before it do not have.
 */
export function groups(): { name: string; priority: number; test: (id: string) => boolean }[] {
  const page = (name: string) => join(SOURCES, name);
  // Parts of a game are fetched with that game; what all games draw with is shared.
  const isShared = (file: string) => !/\/src\/games\/(?!family\/)\w+\//.test(file);
  const roots: [name: string, files: string[]][] = [
    ['home', [...homeSources().keys()]],
    ['demo', [...demoSources().keys()].filter(isShared)],
    ['table', [...sourcesOf(page('pages/TablePage.svelte')).keys()]],
    ['lobby', [...sourcesOf(page('pages/Lobby.svelte')).keys()]],
    ['family', [...sourcesOf(page('games/family/FamilyGame.svelte')).keys()]],
  ];
  // The manifest names a page's files by these.
  const entries = ['main.ts', 'pages/TablePage.svelte', 'pages/Lobby.svelte'].map(page);
  const taken = new Set(entries);
  return roots.map(([name, files], index) => {
    const own = new Set(files.filter((file) => !taken.has(file)));
    own.forEach((file) => taken.add(file));
    const isRuntime = (id: string) => name === 'home' && id.includes('/node_modules/svelte/');
    return { name, priority: roots.length - index, test: (id) => isRuntime(id) || own.has(id.replace(/\?.*$/, '')) };
  });
}
