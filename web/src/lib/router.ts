import { GAME_NAMES } from '../games';
import type { Code, GameName, StudyName } from '../wire.gen';

/** The page that an address leads to. */
export type Route =
  | { at: 'home' }
  | { at: 'table'; code: Code; watch: boolean }
  | { at: 'screen'; code: Code }
  | { at: 'replay'; game: string; key: string | null }
  | { at: 'record'; team: string | null }
  | { at: 'learn'; game: GameName | null }
  | { at: 'rules'; game: GameName }
  | { at: 'device' }
  | { at: 'daily' }
  | { at: 'access' }
  | { at: 'study'; name: StudyName }
  | { at: 'nowhere' };

/** What the code of a table looks like. */
const CODE = /^[a-z0-9]{6}$/;

/** What the name of a study looks like. */
const STUDY = /^[a-z0-9-]{1,24}$/;

/** Reads an address, as in `/table/k3f9ab?watch`. */
export function parse(path: string, search = ''): Route {
  const [first, second, third, ...rest] = path.split('/').filter((part) => part !== '');
  const nowhere: Route = { at: 'nowhere' };
  if (rest.length > 0) return nowhere;
  if (first === undefined) return { at: 'home' };
  if (first === 'table' && second !== undefined) {
    const code = second.toLowerCase();
    if (!CODE.test(code)) return nowhere;
    if (third === undefined) return { at: 'table', code, watch: new URLSearchParams(search).has('watch') };
    return third === 'screen' ? { at: 'screen', code } : nowhere;
  }
  if (third !== undefined) return nowhere;
  if (first === 'me') return second === undefined ? { at: 'record', team: null } : nowhere;
  if (first === 'device') return second === undefined ? { at: 'device' } : nowhere;
  if (first === 'daily') return second === undefined ? { at: 'daily' } : nowhere;
  if (first === 'accessibility') return second === undefined ? { at: 'access' } : nowhere;
  if (first === 'team' && second !== undefined) return { at: 'record', team: second.toLowerCase() };
  if (first === 'study' && second !== undefined) return STUDY.test(second) ? { at: 'study', name: second } : nowhere;
  if (first === 'replay' && second !== undefined) {
    return { at: 'replay', game: second.toLowerCase(), key: new URLSearchParams(search).get('key') };
  }
  const game = GAME_NAMES.find((name) => name === second);
  if (first === 'learn' && (second === undefined || game)) return { at: 'learn', game: game ?? null };
  if (first === 'rules' && game) return { at: 'rules', game };
  return nowhere;
}

/** Finds the table's code in typed or pasted text: a code, or a link with one in it. */
export function codeIn(text: string): Code | null {
  const linked = /\/table\/([a-z0-9]{6})\b/i.exec(text);
  const code = (linked?.[1] ?? text.replace(/[\s-]/g, '')).toLowerCase();
  return CODE.test(code) ? code : null;
}
