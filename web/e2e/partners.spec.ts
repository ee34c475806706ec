import type { Setup } from '../src/wire.gen';
import { expect, extreme, focus, mind, open, royale, sit, soulmates, test, type Page } from './people';
import { picture } from './picture';

/* One person, and machines in the other chairs. */

/** Somebody sits down, gives the other chairs to machines and starts. */
async function withPartners(page: Page, setup: Setup, kinds: string[]): Promise<void> {
  await sit(page, await open(page, setup));
  for (const [index, kind] of kinds.entries()) {
    await page.getByTestId('add-bot').first().click();
    await page.getByTestId('bot-kind').nth(index).selectOption(kind);
  }
  await page.getByTestId('start').click();
}

const RESTS = ['ending', 'pad', 'look', 'write'] as const;

/** What is asked of somebody when no card is played. */
async function asked(page: Page): Promise<(typeof RESTS)[number] | null> {
  for (const what of RESTS) if (await page.getByTestId(what).isVisible()) return what;
  return null;
}

/** Does what is asked, and plays the cards as they come to the front, each after a wait, until the game is over. */
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
  const card = page.locator('[data-testid^="hint-"][aria-pressed=false]').first();
  if (await card.isVisible()) await card.click();
  await once(page, 'write');
}

async function playCard(page: Page): Promise<void> {
  await page.waitForTimeout(1_500);
  const card = page.getByTestId('play-card').first();
  // Somebody else's card may take it away at any moment.
  if ((await card.isVisible()) && (await asked(page)) === null) await card.click({ timeout: 500 }).catch(() => undefined);
}

test('a level of The Mind with two machines', async ({ person }) => {
  const ada = await person('Ada');
  await withPartners(ada, mind({ players: 3, levels: 1 }), ['kindred', 'steady']);
  await playOn(ada);
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  await picture(ada, 'partners-mind');
});

test('a level of Extreme with a machine', async ({ person }) => {
  const ada = await person('Ada');
  await withPartners(ada, extreme(), ['kindred']);
  await playOn(ada);
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'won');
});

test('a level of Soulmates: a machine looks and hints, then the person does', async ({ person }) => {
  test.setTimeout(180_000);
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
  // Now the machine has hidden a code, and the person asks.
  await expect(ada.getByTestId('builder-colours')).toBeVisible();
  for (const kind of [1, 2, 3]) await ada.getByTestId(`token-colours-${kind}`).click();
  await ada.getByTestId('ask-colours').click();
  await expect(ada.getByTestId('row-colours')).toHaveCount(1);
});
