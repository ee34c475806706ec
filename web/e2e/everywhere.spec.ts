import { expectAccessible } from './axe';
import { canHold, holdAt } from './hold';
import { begin, byCard, expect, extreme, focus, layAnyhow, mind, open, playColours, sit, soulmates, test, type Page } from './people';
import { noteScenes, type Scenes } from './scenes';

/* Each moment of the Mind games on a phone, a laptop and the big screen: the same, in order, and gone again. */

const PHONE = { viewport: { width: 360, height: 740 } };
const LAPTOP = { viewport: { width: 1280, height: 800 } };
const TELEVISION = { viewport: { width: 1920, height: 1080 } };

/** A shorter press is a tap, after which the hand stays. */
const TAP_MS = 260;

/** Waits until a press that is on has lasted longer than a tap, by the page's own clock. */
async function pastTap(page: Page): Promise<void> {
  const now = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() > until, now + TAP_MS);
}

/** Every page has shown these scenes last, one after the other. */
async function expectScenes(notes: Scenes[], ...kinds: string[]): Promise<void> {
  for (const { kinds: shown } of notes) await expect.poll(async () => (await shown()).slice(-kinds.length)).toEqual(kinds);
}

/** Every page has said this in a scene. */
async function expectSaid(notes: Scenes[], kind: string, ...texts: string[]): Promise<void> {
  for (const { said } of notes) for (const text of texts) await expect.poll(() => said(kind)).toContain(text);
}

/** Nothing of a scene moves, for a viewer who asked for less motion. */
async function expectStill(page: Page, kind: string): Promise<void> {
  const running = await page
    .locator(`[data-scene=${kind}]`)
    .evaluate((scene) =>
      scene
        .getAnimations({ subtree: true })
        .flatMap((each) => (Number(each.effect?.getComputedTiming().endTime) > 20 ? [(each as CSSAnimation).animationName] : [])),
    );
  expect(running, kind).toEqual([]);
}

test('The Mind: hands, a stop, a mistake, the last life, a star and the defeat', async ({ person, stranger }) => {
  test.setTimeout(300_000);
  const pages = [await person('Ada', PHONE), await person('Ben', { ...LAPTOP, reducedMotion: 'reduce' })];
  const [ada, ben] = pages as [Page, Page];
  const tv = await stranger(TELEVISION);
  const all = [ada, ben, tv];
  for (const page of all) await canHold(page);
  const code = await begin(pages, mind({ levels: 3, lives: 2 }));
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByTestId('focus')).toBeVisible();

  await ada.keyboard.down(' ');
  for (const page of [ben, tv]) await expect(page.getByTestId('hand-A')).toHaveAttribute('data-rests', 'true');
  await pastTap(ada);
  await ada.keyboard.up(' ');
  for (const page of [ben, tv]) await expect(page.getByTestId('hand-A')).toHaveAttribute('data-rests', 'false');
  await focus(pages);
  for (const page of all) await expect(page.getByTestId('pile')).toBeVisible();

  const notes = await Promise.all(all.map(noteScenes));
  await ben.keyboard.press('Escape');
  await expectSaid(notes, 'stopped', 'Ben stopped');
  await expectScenes(notes, 'stopped', 'over');

  for (const page of all) await holdAt(page, 'lifted');
  await focus(pages);
  for (const page of all) await expect(page.locator('[data-scene=lifted]')).toContainText('Play begins');
  await expect(ada.getByTestId('play-card'), 'playable throughout').toBeEnabled();
  await expectStill(ben, 'lifted');
  await expectAccessible(ada, 'hands lifted');
  for (const page of all) await holdAt(page, 'erred');
  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  for (const page of all) await expect(page.locator('[data-scene=erred]')).toBeVisible();
  await expectStill(ben, 'erred');
  for (const page of all) await expectAccessible(page, 'a mistake');
  for (const page of all) await holdAt(page, null);
  await expectScenes(notes, 'landed', 'erred', 'completed', 'over');
  await expectSaid(notes, 'erred', `${highest!.value} came too early`, String(lowest!.value), 'This is the last one');
  await expectSaid(notes, 'completed', 'Level 1 complete');
  for (const page of all) await expect(page.getByTestId('lives')).toHaveAttribute('data-count', '1');

  await focus(pages);
  for (const page of [ben, tv]) await holdAt(page, 'starred');
  for (const page of pages) await page.getByTestId('raise').click();
  for (const page of [ben, tv]) await expect(page.locator('[data-scene=starred]')).toBeVisible();
  await expectStill(ben, 'starred');
  await expectAccessible(tv, 'a star');
  for (const page of [ben, tv]) await holdAt(page, null);
  await expectScenes(notes, 'starred', 'over');
  for (const page of all) await expect(page.getByTestId('stars')).toHaveAttribute('data-count', '0');

  await focus(pages);
  await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
  await expectScenes(notes, 'landed', 'erred', 'over');
  await expectSaid(notes, 'erred', 'The last life is gone');
  for (const page of all) {
    await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
    await expect(page.getByTestId('ending')).toContainText('level 2');
    await expectAccessible(page, 'a defeat');
  }
});

test('Extreme: a blind pile is turned over, its wrong cards marked, and the game lost by it', async ({ person, stranger }) => {
  test.setTimeout(300_000);
  const pages = [await person('Ada', PHONE), await person('Ben', LAPTOP)];
  const tv = await stranger(TELEVISION);
  const all = [...pages, tv];
  const seen = { faces: { white: 'open', red: 'open' }, reward: 'life' } as const;
  const blind = { faces: { white: 'blind', red: 'blind' }, reward: 'nothing' } as const;
  await canHold(tv);
  const code = await begin(pages, extreme({ table: [seen, blind, blind], lives: 1 }));
  await tv.goto(`/table/${code}/screen`);
  await focus(pages);
  await expect(tv.getByTestId('pile')).toHaveCount(2);
  const notes = await Promise.all(all.map(noteScenes));
  await playColours(pages, 2);
  await expectScenes(notes, 'completed', 'over');
  await expectSaid(notes, 'completed', 'Level 1 complete', '+1');

  // A level that is laid anyhow costs a life or two, or is right by chance.
  for (const total of [4, 6]) {
    await focus(pages);
    await holdAt(tv, 'turned');
    await layAnyhow(pages, total);
    await expect(tv.locator('[data-scene=turned]')).toBeVisible();
    await expectAccessible(tv, 'a blind pile, turned over');
    await holdAt(tv, null);
    await expectScenes(notes, 'over');
    await expectSaid(notes, 'turned', 'The pile is turned over');
    if ((await tv.getByTestId('ending').count()) > 0) break;
  }
  for (const page of all) {
    await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
    await expect(page.getByTestId('story').locator('.late').first()).toBeAttached();
    await expectAccessible(page, 'lost by a blind pile');
  }
});

test('Soulmates: the look, the slate, a wrong order, the new deal and the victory', async ({ person, stranger }) => {
  test.setTimeout(300_000);
  const pages = [await person('Ada', PHONE), await person('Ben', LAPTOP)];
  const [ada, ben] = pages as [Page, Page];
  const tv = await stranger(TELEVISION);
  const all = [ada, ben, tv];
  await canHold(tv);
  const code = await open(ada, soulmates([{ cards: 4, look: 2, hints: 1 }]));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await tv.goto(`/table/${code}/screen`);
  for (const page of [ben, tv]) await expect(page.getByTestId('waiting')).toContainText('Ada');
  await ada.getByTestId('look').click();
  const hint = ada.locator('[data-testid^="hint-"]').first();
  const value = (await hint.getAttribute('data-testid'))!.replace('hint-', '');
  await hint.click();
  await ada.getByTestId('write').click();
  for (const page of all) await expect(page.getByTestId('slate')).toContainText(value);

  await focus(pages);
  const notes = await Promise.all(all.map(noteScenes));
  for (let laid = 1; laid <= 4; laid += 1) {
    await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
    if (laid < 4) for (const page of all) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
  await expectScenes(notes, 'failed', 'over');
  await expectSaid(notes, 'failed', 'Wrong order', '2 lives left');
  for (const page of [ben, tv]) {
    await expect(page.getByTestId('failed')).toBeVisible();
    await expectAccessible(page, 'wrong order');
  }
  await holdAt(tv, 'dealt');
  await ada.getByTestId('write').click();
  await expectSaid(notes, 'dealt', 'The same cards, dealt anew', 'Attempt 2');
  await expectAccessible(tv, 'dealt anew');
  await holdAt(tv, null);
  await expectScenes(notes, 'dealt', 'over');
  for (const page of pages) await expect(page.getByTestId('spoken')).toContainText('The same cards, dealt anew. Your cards:');
  await focus(pages);
  for (let laid = 1; laid <= 4; laid += 1) {
    await (await byCard(pages))[0]!.page.getByTestId('play-card').click();
    if (laid < 4) for (const page of all) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
  await expectSaid(notes, 'turned', 'All in order');
  await expectScenes(notes, 'turned', 'completed', 'over');
  for (const page of all) {
    await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
    await expectAccessible(page, 'a victory');
  }
});
