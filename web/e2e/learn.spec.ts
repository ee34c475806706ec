import { expectAccessible as check } from './axe';
import { expect, test, type Page } from './people';
import { picture } from './picture';

const says = (page: Page) => page.getByTestId('coach').locator('p');

async function expectStep(page: Page, step: string, sentence: string): Promise<void> {
  await expect(page.getByTestId('coach')).toHaveAttribute('data-step', step, { timeout: 20_000 });
  await expect(says(page)).toContainText(sentence);
  if (sentence) await expect(page.getByTestId('spoken').getByText(sentence)).toHaveCount(1);
}

test('a stranger learns The Mind at a table of its own', async ({ stranger }) => {
  const page = await stranger({ viewport: { width: 360, height: 740 } });
  await page.goto('/');
  await page.getByRole('link', { name: 'Learn' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Learn');
  const secret = page.getByText('There is no trick');
  await expect(secret).toBeHidden();
  await check(page, 'learn');
  await page.getByTestId('secret').locator('summary').click();
  await expect(secret).toBeVisible();

  await page.getByTestId('learn-mind').click();
  await page.getByTestId('name').fill('Ada');
  await page.getByTestId('name-go').click();
  await expectStep(page, 'lay', 'Each of you holds one card');
  await check(page, 'lesson, hands first');

  const pad = page.getByTestId('pad');
  await pad.hover();
  await page.mouse.down();
  await expectStep(page, 'wait', 'No talking');
  await page.mouse.up();
  await expect(page.getByTestId('play-card')).toHaveAttribute('data-value', '36');
  await check(page, 'lesson, playing');
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);

  // The partner plays first, after about ten seconds.
  await expectStep(page, 'yours', 'Your partner has no cards left');
  await page.getByTestId('play-card').click();
  await expectStep(page, 'next', 'each of you holds two cards');
  await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'completed');

  await page.reload();
  await expectStep(page, 'next', 'each of you holds two cards');
  await expect(page.getByTestId('hand').locator('li')).toHaveCount(2);
});

test('a mistake is explained, and one may go on or begin again', async ({ person }) => {
  const page = await person('Ada');
  await page.goto('/learn/mind');
  await expectStep(page, 'lay', 'Each of you holds one card');
  await expect(page.getByTestId('pad')).toBeVisible();
  await page.keyboard.down(' ');
  await expectStep(page, 'wait', 'No talking');
  await page.keyboard.up(' ');
  await page.keyboard.press(' ');
  await expectStep(page, 'mistake', 'costs the team one life');
  await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'completed');

  await page.getByTestId('menu').click();
  await page.getByTestId('propose-end').click();
  await expectStep(page, 'ended', 'The lesson is over');
  await page.getByTestId('coach-again').click();
  await expect(page.getByTestId('coach')).toHaveAttribute('data-step', 'lay');
});

for (const [game, step, sentence] of [
  ['extreme', 'lay', 'Two piles at once'],
  ['soulmates', 'lay', 'What is on the slate is in play'],
  ['royale', 'hide', 'Choose three cards'],
] as const) {
  test(`the lesson of ${game} begins`, async ({ person }) => {
    const page = await person('Ada', { viewport: { width: 360, height: 740 } });
    await page.goto(`/learn/${game}`);
    await expectStep(page, step, sentence);
    await check(page, `lesson of ${game}`);
    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
  });
}

/** Lays the hand as a player without a pointer does, and lifts it when play has begun. */
async function lay(page: Page): Promise<void> {
  await expect(page.getByTestId('pad')).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.down(' ');
  await expect(page.getByTestId('focus')).toBeHidden();
  await page.keyboard.up(' ');
}

/** Plays the learner's cards without waiting for the bot, until the coach says something else. */
async function hurry(page: Page, until: RegExp): Promise<void> {
  const coach = page.getByTestId('coach');
  const card = page.getByTestId('play-card').first();
  // The bot may end the level before the card is pressed; then it is looked for again.
  await expect(async () => {
    if (until.test((await coach.getAttribute('data-step')) ?? '')) return;
    if (await card.isVisible()) await card.click({ timeout: 1_000 });
    await expect(coach).toHaveAttribute('data-step', until, { timeout: 50 });
  }).toPass({ intervals: [50] });
}

test('the lesson of Extreme, to its end by a hurried learner', async ({ person }) => {
  const page = await person('Ada');
  await page.goto('/learn/extreme');
  await lay(page);
  await expectStep(page, 'wait', '');
  await hurry(page, /^(mistake|next)$/);
  await lay(page);
  await expect(page.getByTestId('coach')).toHaveAttribute('data-step', /^(both|middle)$/);
  await hurry(page, /^(hidden|mistake)$/);
});

test('the lesson of Soulmates: a slate is read, then one is the Seer', async ({ person }) => {
  test.setTimeout(300_000);
  const page = await person('Ada');
  const coach = page.getByTestId('coach');
  await page.goto('/learn/soulmates');
  await expectStep(page, 'lay', 'What is on the slate is in play');
  // However often it takes: the partner lays its cards in its own time.
  for (let attempt = 0; (await coach.getAttribute('data-step')) !== 'look' && attempt < 5; attempt += 1) {
    await lay(page);
    await hurry(page, /^(look|again|lost)$/);
  }
  await expectStep(page, 'look', '');
  await page.getByTestId('look').click();
  await expectStep(page, 'hint', '');
  await page.locator('[data-testid^="hint-"]').first().click();
  await check(page, 'lesson of soulmates, as the Seer');
  await page.getByTestId('write').click();
  await expectStep(page, 'lay-seer', '');
});

test('the lesson of Royale, to its end', async ({ person }) => {
  test.setTimeout(300_000);
  const page = await person('Ada');
  const coach = page.getByTestId('coach');
  await page.goto('/learn/royale');
  await expectStep(page, 'hide', 'Choose three cards');
  for (const card of ['A1', 'B2', 'C3']) await page.getByTestId(`card-${card}`).click();
  await page.getByTestId('hide').click();
  await expectStep(page, 'mine', '');
  await page.getByTestId('next-round').click({ timeout: 60_000 });
  await expect(coach).toHaveAttribute('data-step', /^(swap-waits|ask)$/);
  await expectStep(page, 'ask', '');
  // The suggestion, until the code is found.
  await expect(async () => {
    if ((await coach.getAttribute('data-step')) === 'done') return;
    await page.getByTestId('suggestion').first().click({ timeout: 2_000 });
    await page.locator('[data-testid^="ask-"]:enabled').first().click({ timeout: 2_000 });
    await expect(coach).toHaveAttribute('data-step', 'done', { timeout: 50 });
  }).toPass({ intervals: [50] });
  await expectStep(page, 'done', '');
});

test('what a lesson did not come to is tried at tables with bots', async ({ person }) => {
  const page = await person('Ada', { viewport: { width: 360, height: 740 } });
  /** Ends a lesson and goes to the table of one of its facts. */
  async function tryOut(game: string, facts: string[], which: number): Promise<void> {
    await page.goto(`/learn/${game}`);
    await expect(page.getByTestId('coach')).toBeVisible();
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
    await expectStep(page, 'ended', 'The lesson is over');
    await page.getByTestId('evening').locator('summary').click();
    for (const fact of facts) await expect(page.getByTestId('evening')).toContainText(fact);
    await check(page, `what the first evening of ${game} needs`);
    if (game === 'mind') await picture(page, 'lesson-evening');
    await page.getByTestId('coach-try').nth(which).click();
    await expect(page).toHaveURL(/\/table\//);
  }

  await tryOut('mind', ['three have 3 lives', 'never have more than 5 lives', 'counted when the level ends', 'notices mistakes'], 0);
  await expect(page.getByTestId('pad')).toBeVisible();
  await expect(page.locator('[data-testid^=hand-]')).toHaveCount(2);
  await tryOut('royale', ['Each half has eight rows', '24 rounds', 'a series'], 0);
  await expect(page.getByTestId('royale')).toBeVisible();
  await tryOut('royale', [], 1);
  await expect(page.getByTestId('royale')).toBeVisible();
});
