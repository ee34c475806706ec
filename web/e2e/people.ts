import { test as base, expect, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import type { ExtremeSetup, MindSetup, RoyaleSetup, Setup, SoulmatesRow, SoulmatesSetup } from '../src/wire.gen';

export { expect };
export type { Locator, Page };

interface People {
  /** A person with a name, in a browser context of their own. */
  person(name: string, options?: BrowserContextOptions): Promise<Page>;
  /** A person without a name or a cookie. */
  stranger(options?: BrowserContextOptions): Promise<Page>;
}

/** Every page of a story is watched: an error in it, or a broken content policy, fails the story. */
export const test = base.extend<People>({
  stranger: async ({ browser, contextOptions }, use) => {
    const pages: Page[] = [];
    const errors: string[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ ...contextOptions, ...options });
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (line) => {
        // What needs a name is refused to a page without one, which may still ask who it is; and what is others' to see.
        const { url } = line.location();
        const expected = (line.text().includes('401') && !url.endsWith('/api/me')) || /\/api\/(replays\/|teams\/|devices)/.test(url);
        // A simulated network that closes breaks off what is on its way.
        const broken = options.proxy !== undefined && line.text().includes('ERR_CONNECTION_RESET');
        if (line.type() === 'error' && !expected && !broken) errors.push(line.text());
      });
      pages.push(page);
      return page;
    });
    await Promise.all(pages.map((page) => page.context().close()));
    expect(
      errors.filter((error) => !/WebSocket connection|ERR_INTERNET_DISCONNECTED|ERR_PROXY_CONNECTION_FAILED|ERR_FAILED/.test(error)),
    ).toEqual([]);
  },
  person: async ({ stranger, baseURL }, use) => {
    await use(async (name, options) => {
      const page = await stranger(options);
      const answer = await page.request.post('/api/me', { data: { name }, headers: { origin: baseURL! } });
      expect(answer.ok()).toBe(true);
      return page;
    });
  },
});

/** Every run of a story is dealt the same cards. */
const manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fixed', export: false } as const;

export function mind(changes: Partial<MindSetup> = {}): Setup {
  return { mind: { players: 2, levels: 2, lives: 5, stars: 1, blind_cost: 'per-mistake', manners, ...changes } };
}

export function extreme(changes: Partial<ExtremeSetup> = {}): Setup {
  const level = { faces: { white: 'open', red: 'open' }, reward: 'nothing' } as const;
  return { extreme: { players: 2, table: [level], lives: 5, stars: 2, blind_cost: 'per-mistake', manners, ...changes } };
}

export function soulmates(free: SoulmatesRow[], changes: Partial<SoulmatesSetup> = {}): Setup {
  return { soulmates: { players: 2, lives: 3, table: { free }, first_seer: 'A', manners, ...changes } };
}

export function royale(changes: Partial<RoyaleSetup> = {}): Setup {
  const aids = { count: false, shade: false, suggest: false };
  return { royale: { players: 2, variant: 'alternate', rounds: 2, unsolved: 8, aids, manners, ...changes } };
}

/** Opens a table without going there. */
export async function open(page: Page, setup: Setup, isPublic = false): Promise<string> {
  const origin = new URL((await page.request.get('/readyz')).url()).origin;
  const answer = await page.request.post('/api/tables', { data: { setup, public: isPublic }, headers: { origin } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { table: string }).table;
}

export async function sit(page: Page, code: string): Promise<void> {
  await page.goto(`/table/${code}`);
  await expect(page.getByTestId('seats').locator('.you')).toBeVisible();
}

/** Everyone sits at a new table, and the first of them starts the game. */
export async function begin(pages: Page[], setup: Setup): Promise<string> {
  const code = await open(pages[0]!, setup);
  for (const page of pages) await sit(page, code);
  await pages[0]!.getByTestId('start').click();
  for (const page of pages) await expect(page.getByTestId('pad')).toBeVisible();
  return code;
}

/** All press their hands on the table and lift them when play begins. */
export async function focus(pages: Page[]): Promise<void> {
  for (const page of pages) {
    await expect(page.getByTestId('pad')).toBeVisible();
    await page.locator('body').press('Escape');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.down(' ');
  }
  for (const page of pages) {
    await expect(page.getByTestId('focus')).toBeHidden();
    await page.keyboard.up(' ');
  }
}

/** The card at the front of a player's hand; none for an empty hand. */
export async function front(page: Page): Promise<number | null> {
  const card = page.getByTestId('play-card');
  return (await card.count()) === 0 ? null : Number(await card.first().getAttribute('data-value'));
}

/** The player with the lowest card, and the player with the highest front card. */
export async function byCard(pages: Page[]): Promise<{ page: Page; value: number }[]> {
  const all = await Promise.all(pages.map(async (page) => ({ page, value: await front(page) })));
  return all.flatMap(({ page, value }) => (value === null ? [] : [{ page, value }])).sort((a, b) => a.value - b.value);
}

/** Plays a level of The Mind in the right order, by what each page shows its own player. */
export async function playLevel(
  pages: Page[],
  play: (page: Page) => Promise<void> = (page) => page.getByTestId('play-card').click(),
): Promise<void> {
  await focus(pages);
  const total = await cardsLeft(pages[0]!, pages);
  for (let laid = 1; laid <= total; laid += 1) {
    const [lowest] = await byCard(pages);
    await play(lowest!.page);
    if (laid === total) break;
    for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
}

async function cardsLeft(page: Page, pages: Page[]): Promise<number> {
  return pages.length * (await page.getByTestId('hand').locator('li').count());
}

/** Plays a level of Extreme: white from below, then red from above: by the front cards that each page shows its own player. */
export async function playColours(pages: Page[], total: number): Promise<void> {
  for (let left = total; left > 0; left -= 1) {
    const fronts = await Promise.all(
      pages.flatMap((page) =>
        (['white', 'red'] as const).map(async (side) => {
          const button = page.locator(`[data-side=${side}]`).getByTestId('play-card');
          if ((await button.count()) === 0) return [];
          const value = Number(await button.getAttribute('data-value'));
          return [{ button, rank: side === 'white' ? value : 100 + (50 - value) }];
        }),
      ),
    );
    const [next] = fronts.flat().sort((a, b) => a.rank - b.rank);
    await next!.button.click();
    if (left === 1) return;
    await expectLaid(pages, total - left + 1);
  }
}

/** Every page shows that many cards on its piles. */
async function expectLaid(pages: Page[], count: number): Promise<void> {
  for (const page of pages) {
    const laid = () =>
      page.getByTestId('pile').evaluateAll((piles) => piles.reduce((sum, pile) => sum + Number((pile as HTMLElement).dataset['count']), 0));
    await expect.poll(laid).toBe(count);
  }
}

/** Lays all cards of one hand, then those of the next: face down, so that all of them lie before mistakes are seen. `seen` are pages that show piles. */
export async function layAnyhow(pages: Page[], total: number, seen = pages): Promise<void> {
  for (let laid = 1; laid <= total; laid += 1) {
    const page = pages[Math.floor(((laid - 1) * pages.length) / total)]!;
    await page.getByTestId('play-card').first().click();
    if (laid < total) await expectLaid(seen, laid);
  }
}

/** A phone beside a big screen: the hand and nothing else. */
export async function showHandOnly(page: Page): Promise<void> {
  await page.getByTestId('menu').click();
  await page.getByRole('switch', { name: /Only my hand/ }).check();
  await page.keyboard.press('Escape');
}
