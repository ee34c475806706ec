import { beforeEach, expect, it } from 'vitest';
import { ShowQueue } from './showqueue';

let now: number;
let timers: { run: () => void; at: number }[];
let shown: string[];
let queue: ShowQueue<string>;

beforeEach(() => {
  now = 1_000;
  timers = [];
  shown = [];
  const parts = {
    now: () => now,
    setTimeout: (run: () => void, ms: number) => {
      const timer = { run, at: now + ms };
      timers.push(timer);
      return timer;
    },
    clearTimeout: (handle: unknown) => {
      timers = timers.filter((timer) => timer !== handle);
    },
  };
  queue = new ShowQueue((item) => shown.push(item), parts);
});

/** Time passes, and timers go off. */
function until(end: number): void {
  for (;;) {
    const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
    if (!next) break;
    timers = timers.filter((timer) => timer !== next);
    now = next.at;
    next.run();
  }
  now = end;
}

it('shows what is due at once', () => {
  queue.put('a', 900);
  queue.put('b', 1_000);
  expect(shown).toEqual(['a', 'b']);
  expect(timers).toEqual([]);
});

it('shows the rest at its time and in its order', () => {
  queue.put('a', 1_100);
  queue.put('b', 1_050);
  queue.put('c', 900);
  until(1_099);
  expect(shown).toEqual([]);
  until(1_100);
  expect(shown).toEqual(['a', 'b', 'c']);
});

it('settles when everything is shown', async () => {
  const order: string[] = [];
  await queue.settled();
  queue.put('a', 1_100);
  const settled = queue.settled().then(() => order.push('settled'));
  until(1_100);
  order.push(...shown);
  await settled;
  expect(order).toEqual(['a', 'settled']);
});

it('does not believe a clock that is far out', () => {
  queue.put('a', 1e9);
  until(2_000);
  expect(shown).toEqual(['a']);
});

it('shows no more once it is cleared', async () => {
  queue.put('a', 1_100);
  const settled = queue.settled();
  queue.clear();
  await settled;
  until(5_000);
  expect(shown).toEqual([]);
});

it('shows what is due together one after the other', () => {
  queue.put('a', 1_100);
  queue.put('b', 1_100);
  now = 1_100;
  timers.shift()!.run();
  expect(shown).toEqual(['a']);
  expect(timers.map(({ at }) => at)).toEqual([1_100]);
});
