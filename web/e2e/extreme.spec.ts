import { begin, expect, extreme, focus, test, type Page } from './people';

test('Extreme for three, from the lobby to victory, with blind piles turned over at the end', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const open = { faces: { white: 'open', red: 'open' }, reward: 'star' } as const;
  const blind = { faces: { white: 'blind', red: 'blind' }, reward: 'life' } as const;
  await begin(pages, extreme({ players: 3, table: [open, blind] }));
  await focus(pages);
  await playColours(pages, 3);
  for (const page of pages) await expect(page.getByTestId('story')).toContainText('Level 1 complete');
  await focus(pages);
  await playColours(pages, 6);
  for (const page of pages) {
    await expect(page.getByTestId('story')).toContainText('no mistake');
    await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  }
});

/** White from below, then red from above: by the front cards that each page shows its own player. */
async function playColours(pages: Page[], total: number): Promise<void> {
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
    for (const page of pages) {
      const counts = () => page.getByTestId('pile').evaluateAll((piles) => piles.reduce((sum, pile) => sum + Number((pile as HTMLElement).dataset['count']), 0));
      await expect.poll(counts).toBe(total - left + 1);
    }
  }
}
