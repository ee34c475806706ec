import type { Setup } from '../src/wire.gen';
import { expectAccessible } from './axe';
import { views } from './frames';
import { tabTo } from './keyboard';
import { expect, open, royale, sit, test, type Page } from './people';

async function begin(pages: Page[], setup: Setup): Promise<string> {
  const code = await open(pages[0]!, setup);
  for (const page of pages) await sit(page, code);
  await pages[0]!.getByTestId('start').click();
  for (const page of pages) await expect(page.getByTestId('royale')).toBeVisible();
  return code;
}

async function hide(page: Page, ...cards: string[]): Promise<void> {
  for (const card of cards) await page.getByTestId(`card-${card}`).click();
  await page.getByTestId('hide').click();
  await expect(page.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
}

async function ask(page: Page, zone: 'colours' | 'shapes', ...row: number[]): Promise<void> {
  const rows = page.getByTestId(`row-${zone}`);
  const asked = await rows.count();
  for (const kind of row) await page.getByTestId(`token-${zone}-${kind}`).click();
  await page.getByTestId(`ask-${zone}`).click();
  await expect
    .poll(async () => (await rows.count()) === asked + 1 || (await page.getByTestId('royale').getAttribute('data-phase')) !== 'breaking')
    .toBe(true);
}

test('Royale for two, from the home page to the end, one of them by keyboard alone', async ({ stranger, person }) => {
  const ada = await stranger();
  const ben = await person('Ben');

  await ada.goto('/');
  await ada.getByTestId('game-royale').check({ force: true });
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  const fewer = ada.getByRole('button', { name: 'Fewer: Rounds' });
  for (let rounds = 8; rounds > 2; rounds -= 2) await fewer.click();
  await ada.getByTestId('agree-setup').click();
  await ada.getByTestId('name').fill('Ada');
  await ada.getByTestId('name-go').click();
  await ben.goto(`/table/${await ada.getByTestId('table-code').innerText()}`);
  await tabTo(ben, 'ready');
  await ben.keyboard.press('Enter');
  await expect(ada.getByTestId('seat-B').getByTestId('is-ready')).toBeVisible();
  await ada.getByTestId('start').click();

  await expect(ada.getByTestId('status')).toContainText('Hide three cards');
  await expect(ben.getByTestId('status')).toContainText('Ada is hiding three cards');
  await expectAccessible(ada, 'hiding');
  await hide(ada, 'B3', 'D1', 'E5');

  // Ben marks a card, then asks by letters and digits.
  await expect(ben.getByTestId('status')).toContainText('Find the code');
  await tabTo(ben, 'grid');
  await ben.keyboard.press('c');
  await ben.keyboard.press('ArrowRight');
  await ben.keyboard.press('Enter');
  await expect(ben.getByTestId('card-C2')).toHaveAttribute('aria-pressed', 'true');
  await expect(ben.getByTestId('spoken')).toContainText('Marked: green rectangle.');
  await tabTo(ben, 'builder-colours');
  await ben.keyboard.type('bbd');
  await ben.keyboard.press('Backspace');
  await ben.keyboard.type('e');
  await ben.keyboard.press('Enter');
  await expect(ben.getByTestId('row-colours')).toHaveCount(1);
  await expect(ada.getByTestId('spoken')).toContainText('Ben asks yellow, yellow, blue: 2 in place, 0 elsewhere.');
  await expectAccessible(ben, 'breaking');
  await expectAccessible(ada, 'being broken');
  await ben.keyboard.type('bde');
  await ben.keyboard.press('Enter');
  await expect(ben.getByTestId('status')).toContainText('Only the shapes left');
  await tabTo(ben, 'builder-shapes');
  await ben.keyboard.type('315');
  await ben.keyboard.press('Enter');

  for (const page of [ada, ben]) {
    // Before the dialog of the round, which has a voice of its own.
    await expect(page.getByTestId('spoken')).toContainText('The code was yellow triangle, brown circle, and blue hexagon.');
  }
  for (const page of [ada, ben]) await expect(page.getByTestId('round-over')).toContainText('Ada: +3');
  await expectAccessible(ada, 'a round is over');
  await ada.getByTestId('next-round').click();
  await tabTo(ben, 'next-round');
  await ben.keyboard.press('Enter');

  // Ben hides by keyboard; covered cards cannot be taken.
  await tabTo(ben, 'grid');
  await ben.keyboard.press('b');
  await ben.keyboard.press('3');
  await ben.keyboard.press('Enter');
  await expect(ben.getByTestId('code')).not.toContainText('B3');
  for (const [letter, digit] of ['a1', 'a2', 'c4']) {
    await ben.keyboard.press(letter!);
    await ben.keyboard.press(digit!);
    await ben.keyboard.press(' ');
  }
  await tabTo(ben, 'hide');
  await ben.keyboard.press('Enter');
  await expect(ada.getByTestId('status')).toContainText('Find the code');
  await ask(ada, 'shapes', 1, 2, 4);
  await ask(ada, 'colours', 1, 1, 3);
  for (const page of [ada, ben]) {
    await expect(page.getByTestId('ending')).toContainText('3');
    await expect(page.getByTestId('sheet').getByRole('row')).toHaveCount(3);
  }
  await expect(ada.getByTestId('ending')).toContainText('You win');
  await expect(ben.getByTestId('ending')).toContainText('Ada wins');
  await expectAccessible(ada, 'the end');

  await ada.getByTestId('rematch').click();
  await expect(ben.getByTestId('status')).toContainText('Ada is hiding');
});

test('three players: each breaker asks in their own zone, and only the codemaker has the code', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo', { viewport: { width: 360, height: 740 }, hasTouch: true })];
  const [ada, ben, cleo] = pages as [Page, Page, Page];
  const heard = pages.map((page) => views(page, 'royale'));
  const tv = await stranger();
  const code = await begin(pages, royale({ players: 3, rounds: 3, aids: { count: true, shade: true, suggest: true } }));
  await tv.goto(`/table/${code}/screen`);
  await hide(ada, 'A2', 'C4', 'E1');
  await expect(ada.getByTestId('code')).toContainText('green square');

  for (const page of [ben, cleo, tv]) {
    await expect(page.getByTestId('codes-left')).toContainText('13800 possible codes');
    await expect(page.getByTestId('spoken')).not.toContainText('green square');
  }
  await expect(tv.getByTestId('code')).not.toContainText('green square');
  await expect(ben.getByTestId('builder-shapes')).toHaveCount(0);
  await expect(cleo.getByTestId('builder-colours')).toHaveCount(0);
  await ben.getByTestId('suggestion').click();
  await ask(ben, 'colours');
  for (const kind of [2, 4, 1]) await cleo.getByTestId(`token-shapes-${kind}`).tap();
  await cleo.getByTestId('ask-shapes').tap();
  await expect(cleo.getByTestId('status')).toContainText('Your part is done');
  const fits = await cleo.evaluate(
    () => document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth,
  );
  expect(fits).toBe(true);
  await expectAccessible(cleo, 'a phone, rows');
  await cleo.getByTestId('pane-grid').tap();
  await expectAccessible(cleo, 'a phone, grid');
  await expectAccessible(tv, 'big screen');

  for (const [index, seen] of heard.entries()) {
    const broken = seen.filter((view) => view.code !== undefined);
    expect(broken.length).toBeGreaterThan(2);
    for (const view of broken) expect(view.code).toEqual(index === 0 ? { known: ['A2', 'C4', 'E1'] } : 'backs');
  }

  await ask(ben, 'colours', 1, 3, 5);
  for (const page of pages) await expect(page.getByTestId('round-over')).toContainText('Ada: +3');
  await expect(ben.getByTestId('round-over')).toContainText('Now you hide.');
});

test('tokens and cards are dragged to their places', async ({ person }) => {
  const [ada, ben] = [await person('Ada'), await person('Ben')];
  await begin([ada, ben], royale());
  await ada.getByTestId('card-A1').dragTo(ada.getByTestId('code').locator('[data-place="2"]'));
  await ada.getByTestId('card-B2').dragTo(ada.getByTestId('code').locator('[data-place="0"]'));
  await ada.getByTestId('card-C3').dragTo(ada.getByTestId('code').locator('[data-place="1"]'));
  await expect(ada.getByTestId('code').getByRole('button').first()).toHaveAccessibleName('Place 1: B2, yellow rectangle');
  await ada.getByTestId('hide').click();

  const places = ben.getByTestId('builder-colours').locator('[data-place]');
  for (const [kind, place] of [
    [1, 2],
    [2, 0],
    [3, 1],
  ] as const) {
    await ben.getByTestId(`token-colours-${kind}`).dragTo(places.nth(place));
  }
  await ben.getByTestId('ask-colours').click();
  await expect(ben.getByTestId('row-colours')).toContainText('3 in place');
});
