import { expectAccessible } from './axe';
import { canHold, holdAt } from './hold';
import { begin, byCard, expect, focus, mind, open, royale, sit, test, type Page } from './people';
import { noteScenes, type Scenes } from './scenes';

test('a stop, a mistake and a star, as both see them', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [(typeof pages)[0], (typeof pages)[0]];
  await begin(pages, mind({ levels: 3 }));
  await focus(pages);

  await ben.keyboard.press('Escape');
  for (const page of pages) await expect(page.getByTestId('story')).toContainText('Ben stopped');
  await focus(pages);

  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  for (const page of pages) {
    await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'completed');
    await expect(page.getByTestId('story')).toContainText(`Should have come before ${highest!.value}:`);
    await expect(page.getByTestId('lives')).toHaveAttribute('data-count', '4');
    await expect(page.getByTestId('spoken')).toContainText(`${lowest!.value} from`);
  }

  await focus(pages);
  await ada.getByTestId('raise').click();
  await expect(ben.getByTestId('player-A')).toContainText('proposes a star');
  await ada.getByTestId('raise').click();
  await expect(ben.getByTestId('player-A')).not.toContainText('proposes a star');
  await ada.getByTestId('raise').click();
  await ben.getByTestId('raise').click();
  for (const page of pages) {
    await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'starred');
    await expect(page.getByTestId('stars')).toHaveAttribute('data-count', '0');
  }
});

test('a mistake shows whose cards should have come first', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  await begin(pages, mind({ levels: 3 }));
  // The first level has one card each; from the second on a mistake leaves cards to play.
  await focus(pages);
  await (await byCard(pages))[1]!.page.getByTestId('play-card').click();
  await focus(pages);
  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  for (const page of pages) {
    const story = page.getByTestId('story');
    await expect(story).toHaveAttribute('data-kind', 'erred');
    await expect(story).toContainText(`before ${highest!.value}`);
    await expect(story.getByRole('list')).toContainText(String(lowest!.value));
  }
});

/** How many lines of what a page says contain a text. */
function spokenTimes(page: Page, text: string): Promise<number> {
  return page.getByTestId('spoken').locator(':scope > *').filter({ hasText: text }).count();
}

type Said = Scenes['said'];

const SIZES = [
  { on: 'a phone', viewport: { width: 360, height: 740 } },
  { on: 'a laptop', viewport: { width: 1280, height: 800 } },
];

test('a press ends a moment, and a hand that is ready is laid at once', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, mind({ levels: 3 }));
  await focus(pages);
  const scenes = await noteScenes(ben);
  await (await byCard(pages))[1]!.page.getByTestId('play-card').click();
  await expect(ada.locator('[data-scene=erred]')).toBeVisible();
  await ada.keyboard.down(' ');
  await expect(ada.locator('[data-scene]')).toHaveCount(0);
  await expect(ben.getByTestId('hand-A')).toHaveAttribute('data-rests', 'true');
  expect((await scenes.kinds()).at(-1), 'Ben still looks at the moment').not.toBe('over');
  await ben.keyboard.press('x');
  await expect(ben.locator('[data-scene]')).toHaveCount(0);
  await expect(ben.getByTestId('story')).toContainText('Should have come before');
  await ada.keyboard.up(' ');
});

test.describe('Royale', () => {
  const code = ['B3', 'D1', 'E5'];

  async function beginRoyale(pages: Page[], setup = royale()): Promise<string> {
    const table = await open(pages[0]!, setup);
    for (const page of pages) await sit(page, table);
    await pages[0]!.getByTestId('start').click();
    for (const page of pages) await expect(page.getByTestId('royale')).toBeVisible();
    return table;
  }

  async function hide(page: Page): Promise<void> {
    for (const card of code) await page.getByTestId(`card-${card}`).click();
    await page.getByTestId('hide').click();
    await expect(page.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
  }

  async function ask(page: Page, zone: 'colours' | 'shapes', row: number[]): Promise<void> {
    const tab = page.getByTestId(`zone-${zone}`);
    if (await tab.isVisible()) await tab.click();
    for (const kind of row) await page.getByTestId(`token-${zone}-${kind}`).click();
    await page.getByTestId(`ask-${zone}`).click();
  }

  for (const { on, viewport } of SIZES) {
    test(`on ${on} and on the big screen, a round is told from row to points`, async ({ person, stranger }) => {
      const pages = [await person('Ada', { viewport }), await person('Ben', { viewport })];
      const [ada, ben] = pages as [Page, Page];
      const tv = await stranger({ viewport: { width: 1920, height: 1080 } });
      const table = await beginRoyale(pages);
      await tv.goto(`/table/${table}/screen`);
      await hide(ada);
      await expect(tv.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
      const notes = await Promise.all([ada, ben, tv].map(noteScenes));
      const [, onBens, onScreen] = notes.map(({ said }) => said) as [Said, Said, Said];

      // Pegs drop in on the board where it is in sight, and large on the screen for all.
      await ask(ben, 'colours', [2, 5, 1]);
      await expect.poll(() => onScreen('asked')).toContain('Ben: yellow, blue, red');
      expect(await onScreen('asked')).toContain('1 in place, 1 elsewhere');
      for (const page of pages) await expect(page.getByTestId('row-colours')).toContainText('1 in place, 1 elsewhere');
      expect(await onBens('asked')).toBe('');
      await expect(tv.getByTestId('moment')).toHaveCount(0);

      await ask(ben, 'colours', [2, 4, 5]);
      await expect(ben.getByTestId('builder-shapes')).toBeInViewport({ ratio: 1 });
      for (const { said } of notes) await expect.poll(() => said('solved')).toContain('The colours are found 2 rows');
      for (const page of [ada, ben, tv]) await expect(page.getByTestId('moment')).toHaveCount(0);

      await ask(ben, 'shapes', [3, 1, 5]);
      // Before the dialog of the round, which has a voice of its own.
      for (const page of [ada, tv]) await expect.poll(() => spokenTimes(page, 'The code was')).toBe(1);
      for (const { said } of notes) {
        await expect.poll(() => said('uncovered')).toContain('yellow triangle');
        await expect.poll(() => said('scored')).toContain('Ada scores 3 points');
      }
      for (const { kinds } of notes)
        await expect.poll(async () => (await kinds()).slice(-4)).toEqual(['solved', 'uncovered', 'scored', 'over']);
      for (const page of pages) await expect(page.getByTestId('round-over')).toContainText('Ada: +3');
      await expect(tv.getByTestId('round-over')).toContainText('Ada: +3');
    });
  }

  test('a press ends a moment and does nothing else', async ({ person }) => {
    const pages = [await person('Ada'), await person('Ben')];
    const [ada, ben] = pages as [Page, Page];
    await beginRoyale(pages);
    await hide(ada);
    await ask(ben, 'colours', [2, 4, 5]);
    await ask(ben, 'shapes', [3, 1, 5]);
    await expect(ben.locator('[data-scene=uncovered]')).toBeVisible();
    await ben.keyboard.press('Enter');
    await expect(ben.getByTestId('moment')).toHaveCount(0);
    await expect(ben.getByTestId('round-over')).toBeVisible();
    await expect(ben.getByTestId('code').locator('[data-place="0"]')).toHaveAttribute('aria-label', 'Place 1: empty');
  });

  test('with reduced motion all pegs and cards are there at once, and colours that stay hidden are told', async ({ person }) => {
    const still = { reducedMotion: 'reduce' as const };
    const pages = [await person('Ada', still), await person('Ben', still)];
    const [ada, ben] = pages as [Page, Page];
    await canHold(ada);
    await beginRoyale(pages);
    await hide(ada);
    for (let row = 1; row <= 8; row += 1) {
      if (row === 8) await holdAt(ada, 'spent');
      await ask(ben, 'colours', [1, 1, 1 + (row % 5)]);
      await expect(ada.getByTestId('row-colours')).toHaveCount(row);
    }
    await expect(ada.locator('[data-scene=spent]')).toContainText('The colours stay hidden');
    await expectAccessible(ada, 'the last row, and not the right one');
    await holdAt(ada, null);
    await expect(ada.getByTestId('moment')).toHaveCount(0);
    await ask(ben, 'shapes', [3, 1, 5]);
    const uncovered = ada.locator('[data-scene=uncovered]');
    await expect(uncovered).toBeVisible();
    const running = await uncovered.evaluate(
      (scene) => scene.getAnimations({ subtree: true }).filter(({ effect }) => Number(effect?.getComputedTiming().endTime) > 20).length,
    );
    expect(running).toBe(0);
    await expectAccessible(ada, 'the code uncovered');
  });
});
