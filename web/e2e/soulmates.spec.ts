import { readPile } from '../src/games/family/seen';
import type { Setup } from '../src/wire.gen';
import { expectAccessible } from './axe';
import { views, type SentView } from './frames';
import { tabTo } from './keyboard';
import { byCard, expect, focus, open, sit, soulmates, test, type Page } from './people';

async function begin(pages: Page[], setup: Setup): Promise<string> {
  const code = await open(pages[0]!, setup);
  for (const page of pages) await sit(page, code);
  await pages[0]!.getByTestId('start').click();
  return code;
}

/** Lays all cards, the right one first or the wrong one. */
async function playAll(
  pages: Page[],
  order: 'right' | 'wrong',
  play: (page: Page) => Promise<void> = (page) => page.getByTestId('play-card').click(),
): Promise<void> {
  await focus(pages);
  const total = (await Promise.all(pages.map((page) => page.getByTestId('hand').locator('li').count()))).reduce(
    (sum, count) => sum + count,
    0,
  );
  for (let laid = 1; laid <= total; laid += 1) {
    const holders = await byCard(pages);
    await play((order === 'right' ? holders[0] : holders.at(-1))!.page);
    if (laid === total) break;
    for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
}

/** No view contains what only another player may know. */
function expectSecrets(heard: SentView<'soulmates'>[][]): void {
  for (const seen of heard) {
    const during = seen.filter(({ public: { phase } }) => !(typeof phase === 'object' && 'over' in phase));
    expect(during.length).toBeGreaterThan(3);
    for (const { seat, public: pub, vision, hands, pile } of during) {
      if (seat !== pub.seer) expect(vision).toBe('blind');
      hands.forEach((hand, index) => expect(typeof hand === 'object').toBe('ABCDE'[index] === seat));
      if (seat === pub.seer && pub.phase === 'amending') continue;
      for (const card of readPile(pile)) if (card.face) expect(card.seat).toBe(seat);
    }
  }
}

test('Soulmates, from the home page to the last stand, one of them by keyboard alone', async ({ stranger, person }) => {
  const ada = await stranger();
  const ben = await person('Ben');
  const pages = [ada, ben];
  const heard = pages.map((page) => views(page, 'soulmates'));
  /** Ben has no pointer. */
  const press = async (page: Page, testId: string) => {
    if (page === ada) return page.getByTestId(testId).click();
    await tabTo(page, testId);
    await page.keyboard.press('Enter');
  };
  const play = (page: Page) => (page === ada ? page.getByTestId('play-card').click() : page.keyboard.press(' '));

  await ada.goto('/');
  await ada.getByTestId('game-soulmates').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  for (let lives = 3; lives > 1; lives -= 1) await ada.getByRole('button', { name: 'Fewer: Lives' }).click();
  await ada.getByTestId('agree-setup').click();
  await ada.getByTestId('name').fill('Ada');
  await ada.getByTestId('name-go').click();
  await ben.goto(`/table/${await ada.getByTestId('table-code').innerText()}`);
  await press(ben, 'ready');
  await expect(ada.getByTestId('seat-B').getByTestId('is-ready')).toBeVisible();
  await ada.getByTestId('start').click();

  await expect(ada.getByTestId('look').or(ada.getByTestId('waiting'))).toBeVisible();
  const seer = (await ada.getByTestId('look').isVisible()) ? ada : ben;
  const other = seer === ada ? ben : ada;
  await expectAccessible(seer, 'looking');
  await expectAccessible(other, 'waiting for the look');
  await press(seer, 'look');
  await expect(seer.getByTestId('hinting')).toBeVisible();
  const looked = await seer
    .locator('[data-testid^="hint-"]')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-testid')!));
  expect(looked).toHaveLength(3);
  await press(seer, looked[0]!);
  await press(seer, looked[1]!);
  // One hint at level 1: the second takes the place of the first.
  await expect(seer.getByTestId(looked[0]!)).toHaveAttribute('aria-pressed', 'false');
  await expectAccessible(seer, 'hinting');
  await expect(other.getByTestId('waiting')).toBeVisible();
  await press(seer, 'write');
  const hint = looked[1]!.replace('hint-', '');
  for (const page of pages) {
    await expect(page.getByTestId('slate')).toHaveText(hint);
    await expect(page.getByTestId('spoken')).toContainText(`On the slate: ${hint}.`);
  }

  await playAll(pages, 'wrong', play);
  for (const page of pages) await expect(page.getByTestId('failed')).toContainText('No lives left');
  await expect(seer.getByTestId('hinting')).toContainText('Only you see the pile');
  await expect(other.getByTestId('hinting')).toHaveCount(0);
  await expect(other.getByTestId('spoken')).toContainText(
    /Wrong order: (\d+ from you|a card from).* No lives left: the next attempt has to work\./,
  );
  await expectAccessible(seer, 'amending');
  await expectAccessible(other, 'failed');
  await press(seer, 'write');
  for (const page of pages) await expect(page.getByTestId('slate')).toHaveText(hint);
  await playAll(pages, 'wrong', play);
  for (const page of pages) {
    await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
    await expect(page.getByTestId('ending')).toContainText('level 1');
  }
  await expectAccessible(ada, 'lost');
  expectSecrets(heard);
});

test('three on phones and a television: a retry with one more hint, then the next Seer', async ({ person, stranger }) => {
  const phone = { viewport: { width: 360, height: 740 } };
  const pages = [await person('Ada', phone), await person('Ben', phone), await person('Cleo', phone)];
  const [ada, ben, cleo] = pages as [Page, Page, Page];
  const tv = await stranger();
  const heard = [...pages, tv].map((page) => views(page, 'soulmates'));
  const code = await begin(
    pages,
    soulmates(
      [
        { cards: 4, look: 3, hints: 2 },
        { cards: 3, look: 1, hints: 1 },
      ],
      { players: 3 },
    ),
  );
  await tv.goto(`/table/${code}/screen`);

  await ada.getByTestId('look').click();
  await ada.getByTestId('write').click();
  for (const page of pages) await expect(page.getByTestId('slate')).toHaveText('The slate is empty');
  await playAll(pages, 'wrong');
  await expect(cleo.getByTestId('failed')).toContainText('2 lives left');
  await expect(tv.getByTestId('failed')).toBeVisible();
  await expectAccessible(tv, 'failed, on a screen');
  await ada.locator('[data-testid^="hint-"]').first().click();
  await ada.getByTestId('write').click();
  for (const page of [...pages, tv]) await expect(page.getByTestId('slate').locator('li')).toHaveCount(1);
  await playAll(pages, 'right');

  for (const page of pages) {
    await expect(page.getByTestId('story')).toContainText('Level 1 complete');
    const fits = await page.evaluate(
      () => document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth,
    );
    expect(fits).toBe(true);
  }
  await expect(cleo.getByTestId('player-B')).toContainText('Seer');
  await ben.getByTestId('look').click();
  await ben.getByTestId('write').click();
  // No player loses anything while one is away.
  await expect(cleo.getByTestId('slate')).toBeVisible();
  await ada.reload();
  await expect(ada.getByTestId('slate')).toHaveText('The slate is empty');
  await playAll(pages, 'right');
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  expectSecrets(heard);
});

test('five people, to victory', async ({ person }) => {
  const pages = await Promise.all(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'].map((name) => person(name)));
  await begin(
    pages,
    soulmates(
      [
        { cards: 5, look: 2, hints: 1 },
        { cards: 6, look: 2, hints: 1 },
      ],
      { players: 5, first_seer: 'E' },
    ),
  );
  const seer = pages[4]!;
  await seer.getByTestId('look').click();
  await seer.locator('[data-testid^="hint-"]').first().click();
  await seer.getByTestId('write').click();
  await playAll(pages, 'right');
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
});

test('beyond level 12 if everyone agrees', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, soulmates(Array.from({ length: 12 }, () => ({ cards: 1, look: 1, hints: 0 }))));
  for (let level = 1; level <= 12; level += 1) {
    const seer = level % 2 === 1 ? ada : ben;
    await seer.getByTestId('look').click();
    await seer.getByTestId('write').click();
    await playAll(pages, 'right');
  }
  for (const page of pages) await expect(page.getByTestId('ending')).toContainText('levels 13 to 18');
  await expectAccessible(ada, 'the offer');
  await ada.getByTestId('continue').click();
  await expect(ben.getByTestId('ending')).toContainText('Ready to go on: Ada');
  await ben.getByTestId('continue').click();
  await ada.getByTestId('look').click();
  await ada.getByTestId('write').click();
  await playAll(pages, 'right');
  await ben.getByTestId('look').click();
  await expect(ada.getByTestId('waiting')).toBeVisible();
});
