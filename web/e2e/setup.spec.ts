import { expectAccessible } from './axe';
import { expect, sit, test } from './people';

test('an own level table of Soulmates is checked while it is typed', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/');
  await ada.getByTestId('game-soulmates').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  await ada.getByRole('radio', { name: 'Your own' }).check({ force: true });
  const rows = ada.getByTestId('level-table');
  await expect(rows).toHaveValue(/^\d+\/\d+\/\d+(, \d+\/\d+\/\d+){11}$/);
  await ada.getByRole('radio', { name: 'B', exact: true }).check({ force: true });

  await rows.fill('4/3/1, 4/5/1');
  const problem = ada.getByTestId('level-table-problem');
  await expect(problem).toContainText('level 2 cannot look at 5 of 4 cards');
  await expectAccessible(ada, 'a level table that cannot be played');
  await ada.getByTestId('agree-setup').click();
  await expect(rows).toBeFocused();

  await rows.fill('4/3/1, 4/3/1');
  await expect(problem).toHaveText('');
  await ada.getByRole('button', { name: 'More: Last level' }).click();
  await expect(rows).toHaveValue('4/3/1, 4/3/1, 4/3/1');
  await ada.getByTestId('agree-setup').click();
  await expect(ada.getByTestId('seat-A')).toContainText('Ada');
  await ada.getByTestId('table-words').locator('summary').click();
  await expect(ada.getByTestId('table-words')).toContainText('4/3/1, 4/3/1, 4/3/1');
  await expect(ada.getByTestId('table-words')).toContainText('First Seer: B');
});

test('the blind piles of Extreme are chosen level by level, or all at once', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/');
  await ada.getByTestId('game-extreme').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  const piles = ada.getByTestId('blind-piles');
  await expect(piles.getByText('(our reading)')).toHaveCount(3);
  await piles.getByRole('button', { name: 'None' }).click();
  await expect(piles.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(piles.getByText('(our reading)')).toHaveCount(0);
  await piles.getByRole('group', { name: 'Level 2' }).getByRole('checkbox', { name: 'red' }).check();
  await expect(piles.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await piles.getByRole('button', { name: 'All' }).click();
  await expect(piles.getByRole('checkbox', { checked: false })).toHaveCount(0);
  await expectAccessible(ada, 'the blind piles');
});

test('house rules of The Mind are chosen in the form and named at the table', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/');
  await ada.getByTestId('game-mind').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  const chosen = ada.getByTestId('house-rules-chosen');
  await ada.getByRole('radio', { name: '6 (house rule)' }).check({ force: true });
  await expect(chosen.getByRole('listitem')).toHaveText(['House rule, not in the box: 6 players']);
  await ada.getByRole('radio', { name: '2', exact: true }).check({ force: true });
  await expect(chosen.getByRole('listitem')).toHaveCount(0);

  const house = ada.getByRole('group', { name: 'House rules: not in the box' });
  await house.getByRole('button', { name: 'More: Starting level' }).click();
  await house.getByRole('switch', { name: 'All cards face down from the first level' }).click();
  await ada.getByRole('button', { name: 'More: Levels' }).click();
  await expect(chosen.getByRole('listitem')).toHaveText([
    'House rule, not in the box: Starting level: 2',
    'House rule, not in the box: All cards face down from the first level',
    'House rule, not in the box: Levels beyond 12: up to 13',
  ]);
  await expectAccessible(ada, 'house rules');
  await ada.getByTestId('agree-setup').click();
  await expect(ada.getByTestId('seat-A')).toContainText('Ada');
  await expect(ada.getByTestId('table-words')).toContainText('house rules');
  await ada.getByTestId('table-words').locator('summary').click();
  await expect(ada.getByTestId('table-words')).toContainText('Starting level: 2');
});

test('a starting level goes down with the last level, and none is left when it is taken back', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/');
  await ada.getByTestId('game-extreme').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  const start = ada.getByRole('group', { name: 'Starting level' });
  const levels = ada.getByRole('group', { name: 'Levels', exact: true });
  for (const _ of [1, 2, 3]) await start.getByRole('button', { name: 'More' }).click();
  await expect(start.getByRole('status')).toHaveText('4');
  while (Number(await levels.getByRole('status').textContent()) > 2) await levels.getByRole('button', { name: 'Fewer' }).click();
  await expect(start.getByRole('status')).toHaveText('2');
  await expect(start.getByRole('button', { name: 'More' })).toBeDisabled();
  await start.getByRole('button', { name: 'Fewer' }).click();
  await expect(ada.getByTestId('house-rules-chosen')).toBeEmpty();
});

test('who hides the first code of Royale is chosen in the form', async ({ person }) => {
  const [ada, ben] = [await person('Ada'), await person('Ben')];
  await ada.goto('/');
  await ada.getByTestId('game-royale').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  const house = ada.getByRole('group', { name: 'House rules: not in the box' });
  await house.getByRole('radio', { name: 'B', exact: true }).check({ force: true });
  await expect(ada.getByTestId('house-rules-chosen').getByRole('listitem')).toHaveText([
    'House rule, not in the box: Hides the first code: B',
  ]);
  await ada.getByTestId('agree-setup').click();
  await expect(ada.getByTestId('seat-A')).toContainText('Ada');
  await sit(ben, (await ada.getByTestId('table-code').innerText()).trim());
  await ada.getByTestId('start').click();
  await expect(ben.getByTestId('status')).toContainText('Hide three cards');
  await expect(ada.getByTestId('status')).toContainText('Ben is hiding three cards');
});
