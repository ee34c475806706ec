import { withTexts } from '../../lib/language.svelte';
import { m } from '../../paraglide/messages';
import { blindCostText, FAMILY, stockTexts } from '../family/shared';
import type { GameOf } from '../game';
import Picture from './Picture.svelte';
import Sign from './Sign.svelte';
import './backs.css';

export const mind: GameOf<'mind'> = {
  ...FAMILY,
  title: 'The Mind',
  pitch: m.pitch_mind,
  sign: Sign,
  picture: Picture,
  demo: () => withTexts(import('./Demo.svelte')),
  setup: {
    gist: (setup) => [m.count_levels({ count: setup.levels }), ...stockTexts(setup)],
    more: (setup) => [blindCostText(setup)],
  },
  timing: { highestCard: 100 },
  chapter: ({ public: { level, mode } }) => ({ number: level, attempt: 1, beyond: mode !== undefined }),
  form: () => import('./SetupForm.svelte'),
  component: () => import('./Game.svelte'),
  coach: () => import('./coach'),
  answers: () => import('./answers'),
  replay: () => import('./replay'),
  guide: () => import('./Guide.svelte'),
  clauses: () => import('rules:mind'),
};
