import { GAMES, gameOf, partsOf } from '../games';
import type { Asker, Topic } from '../games/answers';
import { m } from '../paraglide/messages';
import type { View } from '../wire.gen';
import { lastSaid, reply } from './announce.svelte';
import { isUnhurried } from './ready';
import { listed, nameAt } from './seats';

/** Which letter asks what. Colours and shapes are typed with A to E and 1 to 5. */
export const LETTERS: Record<string, Topic | 'present' | 'again'> = {
  h: 'hand',
  p: 'pile',
  l: 'team',
  n: 'counts',
  w: 'present',
  r: 'again',
};

/** Answers the question that a letter asks. */
export async function answer(letter: string, view: View, asker: Asker): Promise<void> {
  const topic = LETTERS[letter];
  if (topic === undefined) return;
  if (topic === 'again') return reply(lastSaid() || m.keys_nothing_said());
  if (topic === 'present') return reply(tellPresent(asker));
  const { answers } = await GAMES[gameOf(view)].answers();
  reply(answers.topics[topic].answer(partsOf(view).inner, asker));
}

/** Who is connected and who is not; bots always are. */
export function tellPresent({ table, locale }: Asker): string {
  const isHere = ({ sitter }: (typeof table.chairs)[number]) => typeof sitter === 'object' && (!('person' in sitter) || sitter.person.here);
  const names = (here: boolean) => table.chairs.filter((chair) => isHere(chair) === here).map(({ seat }) => nameAt(table, seat));
  const away = names(false);
  return [
    m.keys_present_says({ names: listed(names(true), locale) }),
    ...(away.length > 0 ? [m.keys_away_says({ names: listed(away, locale) })] : []),
    ...table.chairs.filter(({ sitter }) => isUnhurried(sitter)).map(({ seat }) => m.lobby_unhurried({ name: nameAt(table, seat) })),
  ].join(' ');
}
