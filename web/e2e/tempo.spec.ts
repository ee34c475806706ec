import { expectAccessible } from './axe';
import { begin, byCard, expect, extreme, focus, open, playColours, sit, soulmates, test } from './people';
import { picture } from './picture';

test('both piles of Extreme are on one picture, with a note if one came first', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages;
  const level = { faces: { white: 'open', red: 'open' }, reward: 'nothing' } as const;
  await begin(pages, extreme({ table: [level, level, level, level] }));
  for (const total of [2, 4, 6, 8]) {
    await focus(pages);
    await playColours(pages, total);
  }
  await expect(ada!.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  await ada!.getByTestId('replay').click();
  await ada!.getByTestId('tempo').click();
  await ada!.getByTestId('tempo-level').selectOption({ label: 'Level 4' });
  const drawing = ada!.getByTestId('tempo-picture');
  await expect(drawing).toHaveCount(1);
  for (const lane of ['white', 'red']) {
    await expect(drawing.locator(`polyline.${lane}`)).toHaveCount(1);
    await expect(drawing.locator(`path.dot.${lane}`)).not.toHaveCount(0);
  }
  await expect(ada!.getByRole('dialog')).toContainText('One pile was finished before the other was started');
  await expectAccessible(ada!, 'two piles');
  await picture(ada!, 'tempo-extreme');
});

test('attempts of Soulmates stand side by side', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages;
  const code = await open(ada!, soulmates([{ cards: 6, look: 3, hints: 1 }], { lives: 1 }));
  for (const page of pages) await sit(page, code);
  await ada!.getByTestId('start').click();
  await ada!.getByTestId('look').click();
  for (const attempt of [1, 2]) {
    await ada!.getByTestId('write').click();
    await focus(pages);
    for (let laid = 1; laid <= 6; laid += 1) {
      await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
      if (laid < 6) for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
    }
    if (attempt === 1) await expect(ben!.getByTestId('failed')).toBeVisible();
  }
  await ben!.getByTestId('replay').click();
  await ben!.getByTestId('tempo').click();
  await expect(ben!.getByTestId('tempo-picture')).toHaveCount(2);
  await expect(ben!.getByRole('heading', { level: 3 })).toHaveText(['Level 1, attempt 1', 'Level 1, attempt 2']);
  const [first, second] = await Promise.all([0, 1].map((index) => ben!.getByTestId('tempo-picture').nth(index).boundingBox()));
  expect(first!.y).toBe(second!.y);
  expect(second!.x).toBeGreaterThan(first!.x + first!.width - 1);
  await expectAccessible(ben!, 'two attempts');
  await picture(ben!, 'tempo-soulmates');
});
