import { begin, byCard, expect, focus, mind, test, type Page } from './people';

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

/** Notes each scene that a page shows, and `over` when there is none. */
async function noteScenes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const scenes: string[] = [];
    const note = () => {
      const scene = document.querySelector<HTMLElement>('[data-scene]')?.dataset['scene'] ?? 'over';
      if (scenes.at(-1) !== scene) scenes.push(scene);
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-scene'] });
    (window as unknown as { scenes: string[] }).scenes = scenes;
  });
  return () => page.evaluate(() => (window as unknown as { scenes: string[] }).scenes);
}

const SIZES = [
  { on: 'a phone', viewport: { width: 360, height: 740 } },
  { on: 'a laptop', viewport: { width: 1280, height: 800 } },
];

for (const { on, viewport } of SIZES) {
  test(`on ${on}, a level that a mistake ends is told one picture at a time`, async ({ person }) => {
    const pages = [await person('Ada', { viewport }), await person('Ben', { viewport })];
    await begin(pages, mind({ levels: 3 }));
    await focus(pages);
    const [lowest, highest] = await byCard(pages);
    const notes = await Promise.all(pages.map(noteScenes));
    await highest!.page.getByTestId('play-card').click();
    for (const page of pages) {
      const moment = page.locator('[data-scene=erred]');
      await expect(moment).toContainText(`${highest!.value} came too early`);
      await expect(moment.getByRole('list')).toContainText(String(lowest!.value));
      await expect(moment).toContainText('4 are left');
      await expect(page.getByTestId('pad')).toBeInViewport({ ratio: 1 });
    }
    for (const scenes of notes) await expect.poll(async () => (await scenes()).slice(-4)).toEqual(['landed', 'erred', 'completed', 'over']);
    for (const page of pages) await expect(page.getByTestId('story')).toContainText('Level 1 complete');
  });
}

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
  expect(await scenes(), 'Ben still looks at the moment').not.toContain('over');
  await ben.keyboard.press('x');
  await expect(ben.locator('[data-scene]')).toHaveCount(0);
  await expect(ben.getByTestId('story')).toContainText('Should have come before');
  await ada.keyboard.up(' ');
});
