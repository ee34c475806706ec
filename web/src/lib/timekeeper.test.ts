import { expect, it } from 'vitest';
import { Timekeeper } from './timekeeper';

function world() {
  const state = { now: 500, sent: [] as number[], timers: [] as { run: () => void; ms: number }[] };
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
