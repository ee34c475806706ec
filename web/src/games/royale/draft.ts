/** Three places that are filled one after the other: a row, or a code, before it is sent. */
export interface Draft<T> {
  places: readonly [T | null, T | null, T | null];
  /** Where the next one goes. */
  at: number;
}

export function emptyDraft<T>(): Draft<T> {
  return { places: [null, null, null], at: 0 };
}

export function put<T>(draft: Draft<T>, value: T, at = draft.at): Draft<T> {
  const places = changed(draft, at, value);
  const after = [at + 1, at + 2].find((place) => places[place % 3] === null);
  return { places, at: after === undefined ? at : after % 3 };
}

/** Empties the place in question, or the last one before it that is filled. */
export function takeBack<T>(draft: Draft<T>): Draft<T> {
  const before = [draft.at, draft.at - 1, draft.at - 2, 2, 1];
  const at = before.find((place) => place >= 0 && draft.places[place] !== null);
  return at === undefined ? draft : takeFrom(draft, at);
}

export function takeFrom<T>(draft: Draft<T>, at: number): Draft<T> {
  return { places: changed(draft, at, null), at };
}

export function filled<T>(draft: Draft<T>): [T, T, T] | null {
  const [first, second, third] = draft.places;
  return first === null || second === null || third === null ? null : [first, second, third];
}

function changed<T>(draft: Draft<T>, at: number, value: T | null): Draft<T>['places'] {
  const [first, second, third] = draft.places.map((held, place) => (place === at ? value : held));
  return [first ?? null, second ?? null, third ?? null];
}
