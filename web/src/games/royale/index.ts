import { withAllTexts, withGameTexts } from '../../lib/language.svelte';
import { m } from '../../paraglide/messages';
import type { GameOf } from '../game';
import Picture from './Picture.svelte';
import Sign from './Sign.svelte';
import './backs.css';

export const royale: GameOf<'royale'> = {
  title: 'Royale Mastermind',
  pitch: m.pitch_royale,
  sign: Sign,
  picture: Picture,
  demo: () => import('./Demo.svelte'),
  bots: ['student', 'master', 'cunning', 'novice', 'random'],
  setup: {
    gist: ({ rounds }) => [m.count_rounds({ count: rounds })],
    more: ({ players, variant, unsolved, aids }) => [
      ...(players === 2 ? [variant === 'series' ? m.variant_series() : m.variant_alternate()] : []),
      `${m.unsolved_counts()}: ${unsolved}`,
      ...(aids.count ? [m.aid_count()] : []),
      ...(aids.shade ? [m.aid_shade()] : []),
      ...(aids.suggest ? [m.aid_suggest()] : []),
    ],
    house: ({ first_maker: seat }) => (seat ? [`${m.first_maker()}: ${seat}`] : []),
  },
  timing: null,
  chapter: ({ public: { round } }) => ({ number: round, attempt: 1, beyond: false }),
  chapterName: ({ number }) => m.replay_round({ round: number }),
  result: ({ public: { sheet } }) => ({ sheet }),
  judgement: {
    // After the game, or after a round where the solver helps anyway.
    offered: ({ public: { sheet } }, { aids }, over) => sheet.length > 0 && (over || aids.suggest),
    dialog: () => withAllTexts(import('./judgement/JudgementDialog.svelte')),
  },
  form: () => withAllTexts(import('./SetupForm.svelte')),
  component: () => withGameTexts(import('./Game.svelte'), 'royale'),
  coach: () => withAllTexts(import('./coach')),
  answers: () => withGameTexts(import('./answers'), 'royale'),
  replay: () => withAllTexts(import('./replay')),
  guide: () => withAllTexts(import('./Guide.svelte')),
  clauses: () => import('rules:royale'),
};
