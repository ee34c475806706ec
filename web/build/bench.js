// How fast a press is answered on a slow device: `npm run bench`, with UNSPOKEN_BIN as for the stories.
//
// Chromium runs the page with its CPU slowed down fourfold. Its own trace says how long each press of
// a card took until the frame that lifts it was shown, and how long frames took while cards travelled.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { CHROMIUM } from './chromium.js';

const SLOWDOWN = 4;
const PRESSES = 100;
const TARGET_MS = 100;
const TRAVEL_MS = 300;
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'blink.user_timing', 'cc'];

const program = process.env['UNSPOKEN_BIN'];
if (!program) throw new Error('name the server with UNSPOKEN_BIN, as in UNSPOKEN_BIN=../target/release/unspoken');
const folder = mkdtempSync(join(tmpdir(), 'unspoken-bench-'));
const url = `http://127.0.0.1:${20_000 + Math.floor(Math.random() * 20_000)}`;
const server = spawn(program, [
  ...['serve', '--listen', new URL(url).host, '--metrics', '127.0.0.1:0', '--data', join(folder, 'tables.db')],
  ...['--deals', 'bench', '--silent-ms', '20000', '--claim-ms-max', '5000'],
]);
server.stderr.resume();
server.stdout.resume();

async function answers() {
  for (let tries = 0; tries < 100; tries += 1) {
    const ready = await fetch(`${url}/readyz`).catch(() => null);
    if (ready?.ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error('the server did not start');
}

async function person(browser, name) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 780 } });
  const page = await context.newPage();
  await page.request.post('/api/me', { data: { name }, headers: { origin: url } });
  return page;
}

/** All hands are laid, and play begins. */
async function focus(pages) {
  for (const page of pages) await page.getByTestId('pad').press('Enter');
  for (const page of pages) await page.getByTestId('focus').waitFor({ state: 'hidden' });
}

const front = async (page) => {
  const card = page.getByTestId('play-card');
  return (await card.count()) === 0 ? Infinity : Number(await card.first().getAttribute('data-value'));
};

/** Plays levels in the right order until the first player has pressed often enough. */
async function play(pages) {
  const [ada] = pages;
  let pressed = 0;
  while (pressed < PRESSES) {
    const manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fixed', export: false };
    const setup = { mind: { players: 2, levels: 12, lives: 5, stars: 1, blind_cost: 'per-mistake', manners } };
    const opened = await ada.request.post('/api/tables', { data: { setup, public: false }, headers: { origin: url } });
    const { table } = await opened.json();
    for (const page of pages) {
      await page.goto(`/table/${table}`);
      await page.getByTestId('seats').locator('.you').waitFor();
    }
    await ada.getByTestId('start').click();
    for (let level = 1; level <= 12 && pressed < PRESSES; level += 1) {
      for (const page of pages) await page.getByTestId('pad').waitFor();
      await focus(pages);
      for (let laid = 1; laid <= 2 * level; laid += 1) {
        const values = await Promise.all(pages.map(front));
        const next = values[0] < values[1] ? 0 : 1;
        await pages[next].getByTestId('play-card').click();
        if (next === 0) pressed += 1;
        if (laid === 2 * level) break;
        for (const page of pages) await page.locator(`[data-testid=pile][data-count="${laid}"]`).waitFor();
      }
    }
  }
  return pressed;
}

/** Milliseconds from each press of the slow page to the frame that showed it: the longest of its events. */
function pressTimes(events, pid) {
  const begun = new Map();
  const presses = new Map();
  for (const event of events) {
    if (event.name !== 'EventTiming' || event.pid !== pid) continue;
    const key = event.id ?? event.id2?.local;
    if (event.ph === 'b') begun.set(key, event);
    const start = begun.get(key);
    if (event.ph !== 'e' || !start) continue;
    const { type, interactionId } = start.args.data;
    if (!interactionId || !['pointerdown', 'pointerup', 'click'].includes(type)) continue;
    const took = (event.ts - start.ts) / 1000;
    presses.set(interactionId, Math.max(presses.get(interactionId) ?? 0, took));
  }
  return [...presses.values()].sort((a, b) => a - b);
}

/** Milliseconds between frames of the slow page while a card was on its way. */
function frameTimes(events, pid) {
  const frames = events.filter(({ name, pid: of }) => name === 'DrawFrame' && of === pid).map(({ ts }) => ts / 1000);
  const travels = events.filter(({ name, pid: of }) => name === 'travel' && of === pid).map(({ ts }) => ts / 1000);
  const gaps = travels.flatMap((start) => {
    const during = frames.filter((ts) => ts >= start && ts <= start + TRAVEL_MS);
    return during.slice(1).map((ts, index) => ts - during[index]);
  });
  return { travels: travels.length, gaps: gaps.sort((a, b) => a - b) };
}

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  await answers();
  const pages = [await person(browser, 'Ada'), await person(browser, 'Ben')];
  const [ada] = pages;
  // A card that flies is an animation of this length: the trace is told when one begins.
  await ada.addInitScript((ms) => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      if (options?.duration === ms) performance.mark('travel');
      return animate.call(this, frames, options);
    };
  }, TRAVEL_MS);
  const cdp = await ada.context().newCDPSession(ada);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const path = join(folder, 'trace.json');
  await browser.startTracing(ada, { path, categories: CATEGORIES });
  const pressed = await play(pages);
  await browser.stopTracing();

  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8'));
  const pid = traceEvents.find(({ name }) => name === 'travel')?.pid;
  if (pid === undefined) throw new Error('no card travelled: has the length of the flight changed?');
  const presses = pressTimes(traceEvents, pid);
  const { travels, gaps } = frameTimes(traceEvents, pid);
  if (presses.length < PRESSES || gaps.length === 0) throw new Error(`${presses.length} presses and ${gaps.length} frames in the trace`);
  const at = (values, share) => values[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)];
  const rows = [
    [`press to the card lifting, 98th of 100 (of ${presses.length})`, at(presses, 0.98)],
    [`longest frame while a card travels (of ${travels} cards)`, gaps.at(-1)],
  ];
  console.log(
    `CPU slowed down ${SLOWDOWN}x, ${pressed} cards played by the slow player; half of the presses took ${at(presses, 0.5).toFixed(0)} ms`,
  );
  for (const [what, ms] of rows) console.log(`${what.padEnd(60)} ${ms.toFixed(0).padStart(5)} ms of ${TARGET_MS}`);
  if (rows.some(([, ms]) => ms > TARGET_MS)) process.exitCode = 1;
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
