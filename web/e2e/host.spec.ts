import { expectAccessible } from './axe';
import { begin, expect, focus, mind, open, sit, test, type Page } from './people';
import { picture } from './picture';

test('the host removes a player, takes it back, locks the table and hides the code', async ({ person }) => {
  const pages = [await person('Ada', { viewport: { width: 360, height: 740 } }), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const code = await open(ada, mind({ players: 3 }));
  for (const page of pages) await sit(page, code);

  await ada.getByTestId('kick').click();
  await expect(ben.getByRole('heading', { name: 'The host has removed you from this table.' })).toBeVisible();
  await expectAccessible(ben, 'removed');
  await picture(ben, 'host-removed');
  await ben.getByTestId('try-again').click();
  await expect(ben.getByRole('heading', { name: 'The host has removed you from this table.' })).toBeVisible();
  await expect(ada.getByTestId('undo')).toContainText('Ben was removed.');
  await picture(ada, 'host-undo');
  await ada.getByTestId('undo').getByRole('button').click();
  await expect(ada.getByTestId('undo')).toHaveCount(0);
  await ben.getByTestId('try-again').click();
  await expect(ben.getByTestId('seats').locator('.you')).toContainText('Ben');

  const room = ada.getByTestId('host-room');
  await room.locator('summary').click();
  await room.getByRole('switch', { name: 'Lock the table' }).check();
  await room.getByRole('switch', { name: 'Hide the code' }).check();
  await expect(ben.getByTestId('code-hidden')).toBeVisible();
  await expect(ben.getByTestId('host-room')).toHaveCount(0);
  await expectAccessible(ada, 'the host’s room');
  await picture(ada, 'host-room');
  const eve = await person('Eve');
  await eve.goto(`/table/${code}`);
  await expect(eve.getByRole('heading', { name: 'This table is locked. Ask its host to open it.' })).toBeVisible();
  await room.getByRole('switch', { name: 'Lock the table' }).uncheck();
  await eve.getByTestId('try-again').click();
  await expect(eve.getByTestId('seats').locator('.you')).toBeVisible();
});

test('the host replaces the code: the old link leads nowhere, and everyone stays', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben', { viewport: { width: 360, height: 740 } })];
  const [ada, ben] = pages as [Page, Page];
  const old = await open(ada, mind({ players: 3 }));
  for (const page of pages) await sit(page, old);
  const room = ada.getByTestId('host-room');
  await room.locator('summary').click();
  await room.getByTestId('new-code').click();
  await expect(ada.getByTestId('table-code')).not.toHaveText(old);
  const code = (await ada.getByTestId('table-code').textContent())!.trim();
  await expect(ben.getByTestId('table-code')).toHaveText(code);
  for (const page of pages) await expect(page).toHaveURL(new RegExp(`/table/${code}$`));
  await expectAccessible(ada, 'a new code');

  const eve = await person('Eve');
  await eve.goto(`/table/${old}`);
  await expect(eve.getByRole('heading', { level: 1 })).toContainText('There is no table');
  await eve.goto(`/table/${code}`);
  await expect(eve.getByTestId('seats').locator('.you')).toContainText('Eve');
  // A page that is loaded again, and one whose address is old, lead back to the own seat.
  await ben.reload();
  await expect(ben.getByTestId('seats').locator('.you')).toContainText('Ben');
  await ben.goto(`/table/${old}`);
  await expect(ben.getByTestId('seats').locator('.you')).toContainText('Ben');
  await expect(ben).toHaveURL(new RegExp(`/table/${code}$`));
  await ada.getByTestId('start').click();
  for (const page of [ada, ben, eve]) await expect(page.getByTestId('pad')).toBeVisible();
});

test('players send signs between levels and none during one', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben', { viewport: { width: 360, height: 740 } })];
  const [ada, ben] = pages as [Page, Page];
  const code = await open(ada, mind());
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('signs').locator('[data-sign=heart]').click();
  await expect(ben.getByTestId('shown-signs')).toContainText('Ada');
  await expect(ben.getByTestId('shown-signs')).toHaveCount(0);
  await expectAccessible(ben, 'the signs');
  await ada.getByTestId('signs').locator('[data-sign=smile]').click();
  await expect(ben.getByTestId('shown-signs')).toBeVisible();
  await picture(ben, 'sign-lobby');
  await ada.getByTestId('start').click();
  await expect(ben.getByTestId('pad')).toBeVisible();
  await ben.getByTestId('chat').click();
  await ben.getByTestId('signs').locator('[data-sign=bravo]').click();
  await expect(ada.getByTestId('shown-signs')).toContainText('Ben');
  await picture(ada, 'sign-table');
  await ben.keyboard.press('Escape');
  await focus(pages);
  await ben.getByTestId('chat').click();
  await expect(ben.getByTestId('chat-text')).toHaveCount(0);
  await expect(ben.getByTestId('signs')).toHaveCount(0);
});

test('one panel says that a player has gone, and covers neither lives nor the menu', async ({ person }) => {
  const pages = [await person('Ada', { viewport: { width: 360, height: 740 } }), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, mind());
  await focus(pages);
  await ben.close();
  const panel = ada.getByTestId('missing');
  await expect(panel).toContainText('Ben has left the table');
  await expect(ada.getByText('Ben stopped')).toHaveCount(0);
  await expectAccessible(ada, 'a player has gone');
  const place = (await panel.boundingBox())!;
  for (const other of [ada.getByTestId('lives'), ada.getByTestId('menu')]) {
    const box = (await other.boundingBox())!;
    expect(box.y >= place.y + place.height || box.y + box.height <= place.y).toBe(true);
  }
  await picture(ada, 'host-missing');
});

test('spectators know that they watch, and the host mutes and removes them', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const code = await begin(pages, mind());
  const eve = await person('Eve');
  await eve.goto(`/table/${code}`);
  await expect(eve.getByTestId('watching')).toHaveText('You are watching');
  await expect(ben.getByTestId('spectator-count')).toHaveText('1 watching');
  await picture(eve, 'host-watching');

  await ada.getByTestId('menu').click();
  const room = ada.getByTestId('host-room');
  await room.locator('summary').click();
  await room.getByTestId('mute').click();
  await expect(room.getByTestId('mute')).toHaveAttribute('aria-pressed', 'true');
  await eve.getByTestId('chat').click();
  await eve.getByRole('textbox').fill('hello');
  await eve.getByRole('textbox').press('Enter');
  await expect(eve.getByTestId('toast')).toHaveAttribute('data-code', 'muted');
  await room.getByTestId('remove-spectator').click();
  await expect(eve.getByRole('heading', { name: 'The host has removed you from this table.' })).toBeVisible();
  await expect(room.getByTestId('removed')).toContainText('Eve');
});

test('a full table without spectators says so, and takes a person in when a seat is free', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const code = await open(ada, mind());
  for (const page of pages) await sit(page, code);
  const room = ada.getByTestId('host-room');
  await room.locator('summary').click();
  await room.getByRole('switch', { name: 'Players only, no spectators' }).check();
  const eve = await person('Eve');
  await eve.goto(`/table/${code}`);
  await expect(eve.getByRole('heading', { level: 1 })).toHaveText('This table has no spectators. Come back when a seat is free.');
  await expectAccessible(eve, 'a full table');
  await ben.getByTestId('stand').click();
  await eve.getByTestId('try-again').click();
  await expect(eve.getByTestId('seats').locator('.you')).toContainText('Eve');
});
