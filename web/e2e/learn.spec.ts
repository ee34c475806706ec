import { expectAccessible as check } from './axe';
import { expect, test, type Page } from './people';

const says = (page: Page) => page.getByTestId('coach').locator('p');

async function expectStep(page: Page, step: string, sentence: string): Promise<void> {
  await expect(page.getByTestId('coach')).toHaveAttribute('data-step', step, { timeout: 20_000 });
  await expect(says(page)).toContainText(sentence);
  await expect(page.getByTestId('spoken').getByText(sentence)).toHaveCount(1);
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
  await expectStep(page, 'wait', 'Nobody speaks');
  await page.mouse.up();
  await expect(page.getByTestId('play-card')).toHaveAttribute('data-value', '36');
  await check(page, 'lesson, playing');
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);

  // The partner plays first, after about ten seconds.
  await expectStep(page, 'yours', 'Your partner has no card left');
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
  await expectStep(page, 'wait', 'Nobody speaks');
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
