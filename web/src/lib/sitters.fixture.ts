import type { Mark, Sitter } from '../wire.gen';

/** A person in a seat, for tests. */
export function sitting(
  name: string,
  { here = true, mark = { picture: 'moon', colour: 'amber' } }: { here?: boolean; mark?: Mark } = {},
): Sitter {
  return { person: { name, mark, here, held: false, ready: true, alike: false, quality: null, unhurried: false } };
}
