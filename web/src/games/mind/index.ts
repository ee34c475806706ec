import { withAllTexts, withGameTexts } from '../../lib/language.svelte';
import { m } from '../../paraglide/messages';
import { blindCostText, FAMILY, playedLevels, stockTexts } from '../family/shared';
import type { GameOf } from '../game';
import { houseRules } from './levels';
import Picture from './Picture.svelte';
import Sign from './Sign.svelte';
import './backs.css';

export const mind: GameOf<'mind'> = {
  ...FAMILY,
  title: 'The Mind',
  pitch: m.pitch_mind,
  sign: Sign,
  picture: Picture,
  demo: () => import('./Demo.svelte'),
  setup: {
    gist: (setup) => [m.count_levels({ count: playedLevels(setup, setup.levels) }), ...stockTexts(setup)],
    more: (setup) => [blindCostText(setup)],
    house: houseRules,
  },
  timing: { highestCard: 100 },
  chapter: ({ public: { level, mode } }) => ({ number: level, attempt: 1, beyond: mode !== undefined }),
  form: () => withAllTexts(import('./SetupForm.svelte')),
  component: () => withGameTexts(import('./Game.svelte'), 'mind'),
  coach: () => withAllTexts(import('./coach')),
  answers: () => withGameTexts(import('./answers'), 'mind'),
  replay: () => withAllTexts(import('./replay')),
  guide: () => withAllTexts(import('./Guide.svelte')),
  clauses: () => import('rules:mind'),
};
