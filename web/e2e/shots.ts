import type { Outcome } from '../src/games/family/ending';
import type { Scene } from '../src/games/family/scene';
import type { Scene as RoyaleScene } from '../src/games/royale/scene';
import type { Mode } from '../src/games/props';
import type { Route } from '../src/lib/router';
import type { GameName } from '../src/wire.gen';

/**
 * Every state of the page that there is a picture of. A page, a scene, an outcome or a game that is
 * added does not compile before it is listed here, and `src/shots.test.ts` fails until a story takes
 * the picture. `cargo xtask shots` takes them all.
 */
const PAGES = {
  home: [
    'home',
    'home-continue',
    'home-teams',
    'home-extreme',
    'home-soulmates',
    'home-royale',
    'name',
    'partners-search',
    'partners-waiting',
    'invitation',
  ],
  table: [
    'lobby',
    'host-room',
    'host-undo',
    'host-removed',
    'host-watching',
    'host-missing',
    'sign-lobby',
    'sign-table',
    'deal-table',
    'partners-table',
    'partners-seat',
    'partners-mind',
    'partners-soulmates',
    'ghost-lobby',
    'ghost-play',
  ],
  screen: ['screen-lobby', 'mind-screen', 'screen-erred', 'screen-turned', 'screen-soulmates', 'screen-royale', 'end-screen'],
  replay: [
    'replay-open',
    'replay-level',
    'replay-royale',
    'replay-soulmates',
    'replay-soulmates-open',
    'replay-soulmates-revealed',
    'together',
    'together-lead',
  ],
  record: [
    'record-me',
    'record-team',
    'record-delete',
    'record-continue',
    'device-link',
    'device-confirm',
    'device-phrase',
    'people',
    'people-notify',
  ],
  daily: ['daily'],
  device: ['device-page', 'device-number', 'device-recover'],
  learn: ['learn', 'lesson', 'lesson-evening'],
  rules: ['rules'],
  access: ['access'],
  study: [
    'study-consent',
    'study-instructions',
    'study-check',
    'study-questions',
    'study-waiting',
    'study-table',
    'study-over',
    'study-leave',
    'study-completed',
    'study-refused',
  ],
  nowhere: ['nowhere'],
} as const satisfies Record<Route['at'], readonly string[]>;

const SCENES = {
  lifted: ['scene-lifted'],
  landed: ['scene-landed'],
  close: ['scene-close'],
  erred: ['scene-erred', 'scene-last-life', 'mind-mistake'],
  starred: ['scene-starred'],
  stopped: ['scene-stopped'],
  turned: ['scene-turned'],
  failed: ['scene-failed'],
  dealt: ['scene-dealt'],
  completed: ['scene-completed'],
} as const satisfies Record<Scene['kind'], readonly string[]>;

const ROYALE_SCENES = {
  asked: ['scene-asked'],
  solved: ['scene-solved'],
  spent: ['scene-spent'],
  uncovered: ['scene-uncovered'],
  scored: ['scene-scored'],
} as const satisfies Record<RoyaleScene['kind'], readonly string[]>;

/** A phone beside a big screen. */
const HAND = { hand: ['hand', 'hand-focus', 'hand-news', 'hand-checked', 'hand-lost'] } as const satisfies Partial<
  Record<Mode, readonly string[]>
>;

const OUTCOMES = {
  won: ['end-won', 'end-challenge'],
  lost: ['end-lost', 'end-turned'],
  ended: ['end-ended'],
} as const satisfies Record<Outcome, readonly string[]>;

const GAMES = {
  mind: ['mind', 'mind-focus', 'twenty-five', 'fifty', 'tempo', 'deal'],
  extreme: ['extreme', 'tempo-extreme'],
  soulmates: ['soulmates', 'soulmates-look', 'soulmates-seer', 'soulmates-failed', 'twelve', 'tempo-soulmates'],
  royale: ['royale', 'judgement', 'judgement-words', 'end-royale', 'deal-royale'],
} as const satisfies Record<GameName, readonly string[]>;

/** Every game, for stories that go through all of them. */
export const GAME_NAMES = Object.keys(GAMES) as GameName[];

const GROUPS = { ...PAGES, ...SCENES, ...ROYALE_SCENES, ...HAND, ...OUTCOMES, ...GAMES };

/** The name of a picture. */
export type Shot = (typeof GROUPS)[keyof typeof GROUPS][number];

export const SHOTS: readonly Shot[] = Object.values(GROUPS).flat();
