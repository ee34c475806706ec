import { canHold, holdAt } from './hold';
import {
  begin,
  byCard,
  expect,
  extreme,
  focus,
  layAnyhow,
  mind,
  open,
  playColours,
  playLevel,
  royale,
  showHandOnly,
  sit,
  soulmates,
  test,
  type Page,
} from './people';
import { keeps, picture } from './picture';
import type { Shot } from './shots';

// What is shown in a moment is held by the stories of `moments.spec.ts`; here it stands still for its pictures.
test.skip(!keeps, 'pictures are taken by cargo xtask shots');

/** Takes the pictures of a scene and lets the page go on, up to the next one if there is one. */
async function shoot(page: Page, kind: string, name: Shot, next: string | null = null): Promise<void> {
  await expect(page.locator(`[data-scene=${kind}]`)).toBeVisible();
  await picture(page, name);
  await holdAt(page, next);
}

test('scenes of The Mind', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const screen = await person('Television', { viewport: { width: 1920, height: 1080 } });
  for (const page of [ada, screen]) await canHold(page);
  const code = await begin(pages, mind({ levels: 3, lives: 3 }));
  await screen.goto(`/table/${code}/screen`);
  await holdAt(ada, 'lifted');
  await focus(pages);
  await shoot(ada, 'lifted', 'scene-lifted', 'stopped');
  await ben.keyboard.press('Escape');
  await shoot(ada, 'stopped', 'scene-stopped');
  await holdAt(ada, 'completed');
  await playLevel(pages);
  await shoot(ada, 'completed', 'scene-completed');
  await focus(pages);
  await holdAt(ada, 'starred');
  for (const page of pages) await page.getByTestId('raise').click();
  await shoot(ada, 'starred', 'scene-starred');
  await focus(pages);
  await holdAt(ada, 'landed');
  await holdAt(screen, 'erred');
  await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
  await shoot(ada, 'landed', 'scene-landed', 'erred');
  await shoot(ada, 'erred', 'scene-erred');
  await shoot(screen, 'erred', 'screen-erred');
  await focus(pages);
  await holdAt(ada, 'erred');
  await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
  await shoot(ada, 'erred', 'scene-last-life');
  for (const page of pages) {
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
  }
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'ended');
  await picture(ada, 'end-ended');
});

test('a blind pile of Extreme that costs the last life', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const screen = await person('Television', { viewport: { width: 1920, height: 1080 } });
  for (const page of [ada, screen]) await canHold(page);
  const open = { faces: { white: 'open', red: 'open' }, reward: 'nothing' } as const;
  const blind = { faces: { white: 'blind', red: 'blind' }, reward: 'nothing' } as const;
  const code = await begin(pages, extreme({ table: [open, open, blind], lives: 1 }));
  await screen.goto(`/table/${code}/screen`);
  for (const total of [2, 4]) {
    await focus(pages);
    await playColours(pages, total);
  }
  await focus(pages);
  await holdAt(ada, 'turned');
  await holdAt(screen, 'turned');
  await layAnyhow(pages, 6);
  await shoot(ada, 'turned', 'scene-turned');
  await shoot(screen, 'turned', 'screen-turned');
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
  await picture(ada, 'end-turned');
});

test('an attempt of Soulmates that fails', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await canHold(ada);
  const code = await open(ada, soulmates([{ cards: 6, look: 3, hints: 1 }]));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  const screen = await person('Television', { viewport: { width: 1920, height: 1080 } });
  await screen.goto(`/table/${code}/screen`);
  await expect(ada.getByTestId('look')).toBeVisible();
  await picture(ada, 'soulmates-look');
  await ada.getByTestId('look').click();
  await ada.locator('[data-testid^="hint-"]').first().click();
  await ada.getByTestId('write').click();
  await focus(pages);
  await expect(screen.getByTestId('slate')).toBeVisible();
  await picture(screen, 'screen-soulmates');
  await holdAt(ada, 'failed');
  for (let laid = 1; laid <= 6; laid += 1) {
    await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
    if (laid < 6) for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
  await shoot(ada, 'failed', 'scene-failed', 'dealt');
  await expect(ben.getByTestId('failed')).toBeVisible();
  await picture(ben, 'soulmates-failed');
  await ada.getByTestId('write').click();
  await shoot(ada, 'dealt', 'scene-dealt');
});

test('twelve cards in one hand', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const code = await open(pages[0]!, soulmates([{ cards: 24, look: 0, hints: 0 }]));
  for (const page of pages) await sit(page, code);
  await pages[0]!.getByTestId('start').click();
  await pages[0]!.getByTestId('look').click();
  await pages[0]!.getByTestId('write').click();
  await focus(pages);
  await expect(pages[0]!.getByTestId('hand').locator('li')).toHaveCount(12);
  await picture(pages[0]!, 'twelve');
});

/** A level far beyond the last one of the box, with a card of each player on the pile. */
async function dealMany(pages: Page[], level: number): Promise<void> {
  await begin(pages, mind({ players: pages.length, levels: level, first_level: level }));
  await focus(pages);
  for (let laid = 1; laid <= pages.length; laid += 1) {
    await (await byCard(pages))[0]!.page.getByTestId('play-card').click();
    for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
}

test('the largest hands that house rules allow', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Mia'), await person('Noah')];
  const [ada, ben] = pages as [Page, Page];
  await dealMany(pages, 25);
  await picture(ada, 'twenty-five');
  await dealMany([ada, ben], 50);
  await picture(ada, 'fifty');
});

test('a hand beside a big screen', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  await begin(pages, mind({ levels: 3 }));
  await playLevel(pages);
  await playLevel(pages);
  await expect(ada.getByTestId('pad')).toBeVisible();
  await showHandOnly(ada);
  await picture(ada, 'hand-focus');
  await focus(pages);
  await picture(ada, 'hand');
  await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
  await expect(ada.getByTestId('hand-news')).toBeVisible();
  await picture(ada, 'hand-news');
});

test('scenes of Royale', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const screen = await person('Television', { viewport: { width: 1920, height: 1080 } });
  for (const page of [...pages, screen]) await canHold(page);
  const code = await open(ada, royale({ rounds: 2 }));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await screen.goto(`/table/${code}/screen`);
  const hide = async (page: Page, cards: string[]) => {
    for (const card of cards) await page.getByTestId(`card-${card}`).click();
    await page.getByTestId('hide').click();
    for (const each of [...pages, screen]) await expect(each.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
  };
  const ask = async (page: Page, zone: 'colours' | 'shapes', row: number[]) => {
    for (const kind of row) await page.getByTestId(`token-${zone}-${kind}`).click();
    await page.getByTestId(`ask-${zone}`).click();
  };
  await hide(ada, ['B3', 'D1', 'E5']);
  await holdAt(screen, 'asked');
  await ask(ben, 'colours', [2, 5, 1]);
  await shoot(screen, 'asked', 'scene-asked');
  await expect(screen.getByTestId('moment')).toHaveCount(0);
  await picture(screen, 'screen-royale');
  await holdAt(ben, 'solved');
  await ask(ben, 'colours', [2, 4, 5]);
  await shoot(ben, 'solved', 'scene-solved');
  await expect(ben.getByTestId('moment')).toHaveCount(0);
  await holdAt(ben, 'uncovered');
  await ask(ben, 'shapes', [3, 1, 5]);
  await shoot(ben, 'uncovered', 'scene-uncovered', 'scored');
  await shoot(ben, 'scored', 'scene-scored');
  for (const page of pages) await page.keyboard.press('Escape');
  await hide(ben, ['A1', 'B2', 'C4']);
  const wrong = [4, 5].flatMap((one) => [4, 5].flatMap((two) => [4, 5].map((three) => [one, two, three])));
  for (const [index, row] of wrong.entries()) {
    if (index === wrong.length - 1) await holdAt(ada, 'spent');
    await ask(ada, 'colours', row);
    if (index < wrong.length - 1) await expect(ada.getByTestId('row-colours')).toHaveCount(index + 1);
  }
  await shoot(ada, 'spent', 'scene-spent');
});

test('pages around the games', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/learn');
  await expect(ada.getByRole('main')).toBeVisible();
  await picture(ada, 'learn');
  await ada.goto('/learn/mind');
  await expect(ada.getByTestId('pad')).toBeVisible();
  await picture(ada, 'lesson');
  await ada.goto('/rules/mind');
  await expect(ada.getByRole('heading', { level: 1 })).toBeVisible();
  await picture(ada, 'rules');
  // Within the page: the server answers such an address with 404, which a story takes for an error.
  await ada.evaluate(() => {
    history.pushState(null, '', '/nowhere-at-all');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(ada.getByRole('main')).toBeVisible();
  await picture(ada, 'nowhere');
  const code = await open(ada, mind());
  await ada.goto(`/table/${code}/screen`);
  await expect(ada.getByTestId('screen-code')).toBeVisible();
  await picture(ada, 'screen-lobby');
});
