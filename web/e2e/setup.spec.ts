import { expectAccessible } from './axe';
import { expect, test } from './people';

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
