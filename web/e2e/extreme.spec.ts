import { begin, expect, extreme, focus, playColours, test } from './people';

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
  // What lay there is told in a moment of its own, which `moments.spec.ts` looks at.
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
});
