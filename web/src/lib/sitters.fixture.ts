import type { Mark, Sitter } from '../wire.gen';

/** A person in a seat, for tests. */
export function sitting(
  name: string,
  { here = true, mark = { picture: 'moon', colour: 'amber' } }: { here?: boolean; mark?: Mark } = {},
): Sitter {
}
