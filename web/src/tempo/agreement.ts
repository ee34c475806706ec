import { m } from '../paraglide/messages';

/** From which score on a team's clocks agreed so well. */
const AGREEMENTS: [least: number, says: () => string, brief: () => string][] = [
  [85, m.tempo_agree_fully, m.sync_fully],
  [65, m.tempo_agree_well, m.sync_well],
  [45, m.tempo_agree_roughly, m.sync_roughly],
  [0, m.tempo_agree_little, m.sync_little],
];

const agreementOf = (score: number) => AGREEMENTS.find(([least]) => score >= least) ?? AGREEMENTS.at(-1)!;

/** How well the clocks of a team agreed, in a sentence: a score says nothing to a team that knows no other. */
export const agreement = (score: number): string => agreementOf(score)[1]();

/** The same in a word or two, for a list or a table. */
export const agreementBrief = (score: number): string => agreementOf(score)[2]();
