import { expect, it } from 'vitest';
import type { StudyNote } from '../wire.gen';
import { NOTES_AT_ONCE_MOST, NOTES_WAITING_MOST, NoteBuffer } from './notes';

/** A server whose clock is 1000 ms ahead, once it is known. */
function server() {
  const got: { notes: StudyNote[]; closing: boolean }[] = [];
  const state = { ahead: 1_000 as number | null, answers: true, got };
  const buffer = new NoteBuffer({
    serverTime: (local) => (state.ahead === null ? null : local + state.ahead),
    send: (notes, closing) => {
      got.push({ notes, closing });
      return Promise.resolve(state.answers);
    },
  });
  return { buffer, state, got };
}

it('notes are sent once, by the time of the server and in its order', async () => {
  const { buffer, got } = server();
  buffer.add(7, 'hidden');
  buffer.add(5, { shown: { table: 'k3f9ab', seq: 4 } });
  await buffer.flush();
  await buffer.flush();
  expect(got).toEqual([
    {
      notes: [
        { at: 1_005, what: { shown: { table: 'k3f9ab', seq: 4 } } },
        { at: 1_007, what: 'hidden' },
      ],
      closing: false,
    },
  ]);
});

it('notes wait until the time of the server is known', async () => {
  const { buffer, state, got } = server();
  state.ahead = null;
  buffer.add(1, 'hidden');
  await buffer.flush();
  expect(got).toEqual([]);
  state.ahead = 10;
  await buffer.flush(true);
  expect(got).toEqual([{ notes: [{ at: 11, what: 'hidden' }], closing: true }]);
});

it('notes that did not arrive are sent again, before later ones', async () => {
  const { buffer, state, got } = server();
  state.answers = false;
  buffer.add(1, 'hidden');
  await buffer.flush();
  state.answers = true;
  buffer.add(2, 'seen');
  await buffer.flush();
  expect(got[1]?.notes.map(({ what }) => what)).toEqual(['hidden', 'seen']);
});

it('one sending at a time; a page that closes sends the rest beside it', async () => {
  let settle: (arrived: boolean) => void = () => {};
  const sent: StudyNote[][] = [];
  const buffer = new NoteBuffer({
    serverTime: (local) => local,
    send: (notes) => {
      sent.push(notes);
      return new Promise((resolve) => (settle = resolve));
    },
  });
  buffer.add(1, 'hidden');
  const first = buffer.flush();
  buffer.add(2, 'seen');
  await buffer.flush();
  expect(sent.length).toBe(1);
  void buffer.flush(true);
  expect(sent.map((notes) => notes.length)).toEqual([1, 1]);
  settle(true);
  await Promise.race([first, Promise.resolve()]);
});

it('as many at once as the server takes, and the oldest are given up when too many wait', async () => {
  const { buffer, got } = server();
  for (let at = 0; at < NOTES_WAITING_MOST + 3; at += 1) buffer.add(at, 'seen');
  await buffer.flush();
  expect(got[0]?.notes.length).toBe(NOTES_AT_ONCE_MOST);
  expect(got[0]?.notes[0]?.at).toBe(1_003);
});
