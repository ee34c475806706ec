import { withAllTexts, withGameTexts } from '../../lib/language.svelte';
import { m } from '../../paraglide/messages';
import { blindCostText, FAMILY, playedLevels, stockTexts } from '../family/shared';
import type { GameOf } from '../game';
import { blindLevels, houseRules } from './levels';
import Picture from './Picture.svelte';
import Sign from './Sign.svelte';
import './backs.css';

export const extreme: GameOf<'extreme'> = {
  ...FAMILY,
  title: 'The Mind Extreme',
  pitch: m.pitch_extreme,
  sign: Sign,
  picture: Picture,
  demo: () => import('./Demo.svelte'),
  setup: {
    gist: (setup) => [m.count_levels({ count: playedLevels(setup, setup.table.length) }), ...stockTexts(setup)],
    more: (setup) => {
      const white = `${m.blind_white()} ${blindLevels(setup.table, 'white')}`;
      const red = `${m.blind_red()} ${blindLevels(setup.table, 'red')}`;
      return [`${m.blind_piles()}: ${white}; ${red}`, blindCostText(setup)];
    },
    house: houseRules,
  },
  timing: { highestCard: 50 },
  chapter: ({ public: { level } }) => ({ number: level, attempt: 1, beyond: false }),
  form: () => withAllTexts(import('./SetupForm.svelte')),
  component: () => withGameTexts(import('./Game.svelte'), 'extreme'),
  coach: () => withAllTexts(import('./coach')),
  answers: () => withGameTexts(import('./answers'), 'extreme'),
  replay: () => withAllTexts(import('./replay')),
  guide: () => withAllTexts(import('./Guide.svelte')),
  clauses: () => import('rules:extreme'),
};
