import { expect, extreme, front, mind, open, royale, sit, soulmates, test, type Page } from '../people';
import type { GameName, Setup } from '../../src/wire.gen';
import { Listener } from './listener';
import { accept, expected } from './transcript';

/*
 * A level of each game as Orca speaks it. Ada has a real keyboard and Orca, Ben a browser of his own.
 * The script never moves Ada's focus: it presses keys, and looks at her page to know how often.
 */

test.describe.configure({ timeout: 400_000 });

/** Who listens now: ended after the test, however that ends. */
let listening: Listener | null = null;
test.afterEach(async () => {
  await listening?.close();
  listening = null;
});

/** Ada follows Ben's invitation, says her name and is ready; Ben starts. */
async function sitDown(ben: Page, setup: Setup, base: string): Promise<Listener> {
  const code = await open(ben, setup);
  await sit(ben, code);
  const ada = await Listener.at(`${base}/table/${code}`);
  listening = ada;
  await ada.hear('opens the invitation');
  await ada.type('Ada');
  await ada.press('Return');
  await ada.tabTo('ready');
  await ada.press('Return');
  await expect(ben.getByTestId('is-ready')).toBeVisible();
  await ben.getByTestId('start').click();
  await ada.hear('Ben starts');
  return ada;
}

/** What Ben does with a button of his, and what Ada hears of it. */
async function bens(ben: Page, ada: Listener, testId: string, done: string): Promise<void> {
  await ben.getByTestId(testId).first().press('Enter');
  await ada.hear(done);
}

/** Both lay a hand down, Ada with Enter where her focus is. */
async function layHands(ben: Page, ada: Listener): Promise<void> {
  await ada.press('Return');
  await bens(ben, ada, 'pad', 'Ben lays his hand down');
}

/** Both play their one card, in this order of values. */
async function playBoth(ben: Page, ada: Listener, first: 'lower' | 'higher'): Promise<void> {
  const [hers, his] = [(await front(ada.page))!, (await front(ben))!];
  const isAdaFirst = hers < his === (first === 'lower');
  if (isAdaFirst) await ada.press('space');
  await bens(ben, ada, 'play-card', 'Ben plays');
  if (!isAdaFirst && (await front(ada.page)) !== null) await ada.press('space');
}

/** The player with the higher front card plays it, while the other still holds a lower one. */
async function playHigher(ben: Page, ada: Listener): Promise<void> {
  if ((await front(ada.page))! > (await front(ben))!) await ada.press('space');
  else await bens(ben, ada, 'play-card', 'Ben plays');
}

/**
 * What Orca says of places that the focus only passes, and of the first dialog while it starts: whether it has come so
 * far when the focus goes on depends on the machine.
 */
const PASSED = /^(banner|leaving banner\.|form|.* dialog|.* heading level 1 clickable\.)$/;

/** What was said after each thing that was done. What the focus says and what the page says come in any order. */
function byStep(lines: string[]): string[][] {
  const steps: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('> ')) steps.push([line]);
    else if (!PASSED.test(line)) steps.at(-1)?.push(line);
  }
  return steps.map(([done, ...said]) => [done!, ...said.sort()]);
}

/** Compares what was said with docs/accessibility.md, or writes it there. */
function check(game: GameName, { transcript }: Listener): void {
  if (process.env['UNSPOKEN_ORCA'] === 'accept') accept(game, transcript);
  else expect(byStep(transcript)).toEqual(byStep(expected(game)));
}

test('The Mind: a level, the questions, and a mistake in the next', async ({ person, baseURL }) => {
  const ben = await person('Ben');
  const ada = await sitDown(ben, mind({ levels: 2, lives: 3 }), baseURL!);
  await layHands(ben, ada);
  for (const key of ['h', 'p', 'l', 'n', 'w', 'r']) await ada.press(key);
  await playBoth(ben, ada, 'lower');
  await layHands(ben, ada);
  await playHigher(ben, ada);
  expect(ada.transcript.join('\n'), 'the higher card comes too early').toContain('Mistake');
  check('mind', ada);
});

test('Extreme: a level, and the questions in the next', async ({ person, baseURL }) => {
  const ben = await person('Ben');
  const level = { faces: { white: 'open', red: 'open' }, reward: 'nothing' } as const;
  const ada = await sitDown(ben, extreme({ table: [level, level] }), baseURL!);
  await layHands(ben, ada);
  await ada.press('space');
  await bens(ben, ada, 'play-card', 'Ben plays');
  await layHands(ben, ada);
  for (const key of ['h', 'n', 'space', 'p']) await ada.press(key);
  check('extreme', ada);
});

test('Soulmates: a hint, a wrong order, one more hint, and the level', async ({ person, baseURL }) => {
  const ben = await person('Ben');
  const ada = await sitDown(ben, soulmates([{ cards: 2, look: 1, hints: 1 }], { first_seer: 'B' }), baseURL!);
  await ada.tabTo('look');
  await ada.press('Return');
  await ada.press('Return');
  await ada.tabTo('write');
  await ada.press('Return');
  await layHands(ben, ada);
  await playBoth(ben, ada, 'higher');
  await ada.tabTo('write');
  await ada.press('Return');
  await layHands(ben, ada);
  await playBoth(ben, ada, 'lower');
  check('soulmates', ada);
});

test('Royale: a round', async ({ person, baseURL }) => {
  const ben = await person('Ben');
  const ada = await sitDown(ben, royale(), baseURL!);
  for (const card of ['A1', 'B2', 'C3']) await ben.getByTestId(`card-${card}`).click();
  await bens(ben, ada, 'hide', 'Ben hides red circle, yellow rectangle, green triangle');
  for (const key of ['b', 'a', 'c', 'Return', 'a', 'b', 'c', 'Return', 'p', 'n']) await ada.press(key);
  await ada.tabTo('builder-shapes');
  for (const key of ['1', '2', '3', 'Return', 'l']) await ada.press(key);
  check('royale', ada);
});
