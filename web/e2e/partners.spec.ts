import type { Setup } from '../src/wire.gen';
import { expect, extreme, focus, mind, open, royale, sit, soulmates, test, type Page } from './people';
import { picture } from './picture';

/* One person, with bots in the other seats. */

/** Takes a seat, adds bots to the others and starts. */
async function withPartners(page: Page, setup: Setup, kinds: string[]): Promise<void> {
  await sit(page, await open(page, setup));
  for (const [index, kind] of kinds.entries()) {
    await page.getByTestId('add-bot').first().click();
    await page.getByTestId('bot-kind').nth(index).selectOption(kind);
  }
  await page.getByTestId('start').click();
}

const RESTS = ['ending', 'pad', 'look', 'write'] as const;

/** What the page asks for when no card is played. */
async function asked(page: Page): Promise<(typeof RESTS)[number] | null> {
  for (const what of RESTS) if (await page.getByTestId(what).isVisible()) return what;
  return null;
}

/** Does what the page asks for and plays the card at the front, until the game is over. */
async function playOn(page: Page): Promise<void> {
  for (;;) {
    const what = await asked(page);
    if (what === 'ending') return;
    if (what === 'pad') await focus([page]);
    else if (what === 'look') await once(page, 'look');
    else if (what === 'write') await hint(page);
    else await playCard(page);
  }
}

/** Presses a button that goes when the table has taken it; looked for again before that, it would be pressed twice. */
async function once(page: Page, button: 'look' | 'write'): Promise<void> {
  await page.getByTestId(button).click();
  await expect(page.getByTestId(button)).toBeHidden();
}

async function hint(page: Page): Promise<void> {
  const card = page.locator('[data-testid^="hint-"][aria-pressed=false]:enabled').first();
  if (await card.isVisible()) await card.click();
  await once(page, 'write');
}

/** Plays the card at the front at the person's tempo. A bot's card may take it away before it is pressed; then it is looked for again. */
async function playCard(page: Page): Promise<void> {
  await tempo(page);
  const card = page.getByTestId('play-card').first();
  await expect(async () => {
    if ((await card.isVisible()) && (await asked(page)) === null) await card.click({ timeout: 500 });
  }).toPass();
}

/** A simulated person's tempo: they play when no pile has changed for this long, measured on the page. */
const TEMPO_MS = 1_500;

/** Resolves when a pile changes, and otherwise when it is the person's turn by their tempo. */
async function tempo(page: Page): Promise<void> {
  await page.evaluate((ms) => {
    const counts = () => [...document.querySelectorAll('[data-testid=pile]')].map((pile) => pile.getAttribute('data-count')).join();
    const before = counts();
    return new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => counts() !== before && done());
      const timer = setTimeout(() => done(), ms);
      const done = () => {
        observer.disconnect();
        clearTimeout(timer);
        resolve();
      };
      observer.observe(document.body, { attributes: true, childList: true, subtree: true });
    });
  }, TEMPO_MS);
}

test('a level of The Mind with two bots', async ({ person }) => {
  const ada = await person('Ada');
  await withPartners(ada, mind({ players: 3, levels: 1 }), ['kindred', 'steady']);
  await playOn(ada);
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  await picture(ada, 'partners-mind');
});

test('a level of Extreme with a bot', async ({ person }) => {
  const ada = await person('Ada');
  await withPartners(ada, extreme(), ['kindred']);
  await playOn(ada);
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'won');
});

test('a level of Soulmates: a bot looks and hints, then the person does', async ({ person }) => {
  test.setTimeout(300_000);
  const ada = await person('Ada');
  const row = { cards: 3, look: 2, hints: 1 };
  await withPartners(ada, soulmates([row, row], { first_seer: 'B', lives: 5 }), ['kindred']);
  await playOn(ada);
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', /won|lost/);
  await picture(ada, 'partners-soulmates');
});

test('a round of Royale against a master', async ({ person }) => {
  const ada = await person('Ada');
  await withPartners(ada, royale(), ['master']);
  for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  await expect(ada.getByTestId('next-round')).toBeVisible({ timeout: 45_000 });
  await ada.getByTestId('next-round').click();
  // The bot has hidden a code, and the person asks.
  await expect(ada.getByTestId('builder-colours')).toBeVisible();
  for (const kind of [1, 2, 3]) await ada.getByTestId(`token-colours-${kind}`).click();
  await ada.getByTestId('ask-colours').click();
  await expect(ada.getByTestId('row-colours')).toHaveCount(1);
});
