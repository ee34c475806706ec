import { withAllTexts, withGameTexts } from '../../lib/language.svelte';
import { m } from '../../paraglide/messages';
import { FAMILY } from '../family/shared';
import type { GameOf } from '../game';
import Picture from './Picture.svelte';
import Sign from './Sign.svelte';
import './backs.css';

export const soulmates: GameOf<'soulmates'> = {
  ...FAMILY,
  title: 'The Mind: Soulmates',
  pitch: m.pitch_soulmates,
  sign: Sign,
  picture: Picture,
  demo: () => import('./Demo.svelte'),
  setup: {
    gist: ({ lives }) => [m.count_lives({ count: lives })],
    more: ({ table, first_seer: seer }) => [
      ...(seer ? [] : [`${m.first_seer()}: ${m.first_seer_lot()}`]),
      ...(typeof table === 'object' ? [] : [`${m.level_cards()}: ${table === 'linear' ? m.level_cards_linear() : m.level_cards_gentle()}`]),
    ],
    house: ({ table, first_seer: seer }) => {
      const first = seer ? [`${m.first_seer()}: ${seer}`] : [];
      if (typeof table !== 'object') return first;
      const rows = table.free.map(({ cards, look, hints }) => `${cards}/${look}/${hints}`);
      return [...first, `${m.level_rows()}: ${rows.join(', ')}`];
    },
  },
  timing: { highestCard: 50 },
  chapter: ({ public: { level, attempt, mode } }) => ({ number: level, attempt, beyond: mode !== undefined }),
  form: () => withAllTexts(import('./SetupForm.svelte')),
  component: () => withGameTexts(import('./Game.svelte'), 'soulmates'),
  coach: () => withAllTexts(import('./coach')),
  answers: () => withGameTexts(import('./answers'), 'soulmates'),
  replay: () => withAllTexts(import('./replay')),
  guide: () => withAllTexts(import('./Guide.svelte')),
  clauses: () => import('rules:soulmates'),
};
