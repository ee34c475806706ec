import { expect, it } from 'vitest';
import { Timekeeper } from './timekeeper';

function world() {
  const state = { now: 500, sent: [] as number[], timers: [] as { run: () => void; ms: number }[], unsure: [] as boolean[] };
  const keeper = new Timekeeper({
    now: () => state.now,
    setTimeout: (run, ms) => {
      const timer = { run, ms };
      state.timers.push(timer);
      return timer;
    },
    clearTimeout: (handle) => {
      state.timers = state.timers.filter((timer) => timer !== handle);
    },
    send: ({ sent }) => state.sent.push(sent),
    unsure: (unsure) => state.unsure.push(unsure),
  });
  return { state, keeper };
}

it('claims nothing and shows at once before it knows the time', () => {
  const { keeper, state } = world();
  expect(keeper.pressed(400)).toBeGreaterThan(1e12);
  expect(keeper.showing(99_000)).toBe(state.now);
});

it('probes on and on while it is started, and translates', () => {
  const { keeper, state } = world();
  keeper.start();
  expect(state.sent).toEqual([500]);
  state.now = 540;
  keeper.hear(500, 10_000);
  expect(keeper.pressed(530)).toBe(10_010);
  expect(keeper.showing(10_040)).toBe(560);
  state.timers.shift()!.run();
  expect(state.sent).toEqual([500, 540]);
  keeper.stop();
  expect(state.timers).toEqual([]);
});

it('forgets the time of another server', () => {
  const { keeper } = world();
  keeper.start();
  keeper.hear(500, 10_000);
  keeper.start();
  expect(keeper.pressed(530)).toBeGreaterThan(1e12);
});

it('says that it is unsure when the device has slept, and learns the time at once', () => {
  const { keeper, state } = world();
  keeper.start();
  for (let n = 0; n < 20; n += 1) {
    state.now = 540 + n;
    keeper.hear(500 + n, 10_020 + n);
  }
  expect(state.unsure).toEqual([]);
  // Half a minute that this clock did not see.
  const slept = 30_000;
  const before = state.sent.length;
  keeper.wake();
  expect(state.sent.length).toBe(before + 1);
  state.now = 640;
  keeper.hear(600, 10_120 + slept);
  expect(state.unsure).toEqual([true]);
  expect(keeper.pressed(640)).toBe(10_140 + slept);
  for (const sent of [650, 700]) {
    state.now = sent + 40;
    keeper.hear(sent, sent + 9_520 + slept);
  }
  expect(state.unsure).toEqual([true, false]);
  keeper.stop();
  keeper.wake();
  expect(state.timers).toEqual([]);
});
