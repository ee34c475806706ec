import { Ears } from './ears';
import { begin, expect, extreme, focus, front, mind, open, playColours, royale, sit, soulmates, test, type Page } from './people';

/* A player who does not see the table asks it, with one key. */

/** Presses a key and waits for its answer. */
async function ask(page: Page, said: Ears, key: string, answer: RegExp): Promise<void> {
  const before = (await said.said()).length;
  await page.keyboard.press(key);
  await expect.poll(async () => (await said.said()).slice(before).at(-1) ?? '', key).toMatch(answer);
}

test('The Mind answers, and so does every key', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const said = await Ears.of(ada);
  await begin(pages, mind({ levels: 1 }));
  const card = await front(ada);
  await said.last(/waits for your hand/);
  await ask(ada, said, 'r', /^Level 1\. Your cards: \d+\. The level waits for your hand\.$/);
  await ask(ada, said, 'h', new RegExp(`^Your cards: ${card}\\.$`));
  await ask(ada, said, 'p', /^The pile is empty\.$/);
  await ask(ada, said, 'l', /^Level 1\. 5 lives, 1 star\.$/);
  await ask(ada, said, 'n', /^You: 1 card\. Ben: 1 card\.$/);
  await ask(ada, said, 'w', /^Connected: Ada and Ben\.$/);
  await ask(ada, said, 'r', /The level waits for your hand\.$/);
  // On the table, not on a button: Enter would press it.
  await ada.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const SILENT = ['x', 'Enter', 'Backspace', 'Delete', 'Home', 'PageDown', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  for (const key of ['Escape', ...SILENT]) await ask(ada, said, key, /^That key does nothing right now\.$/);
  await focus(pages);
  await ada.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (const key of SILENT) await ask(ada, said, key, /^That key does nothing right now\.$/);
  await ben.keyboard.press(' ');
  await ada.keyboard.press(' ');
});

test('the list of keys is behind ?, and letters can be turned off', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const said = await Ears.of(ada);
  await begin(pages, mind({ levels: 1 }));
  await ada.keyboard.press('?');
  const list = ada.getByTestId('keys');
  for (const text of ['Your hand', 'The pile and the last card', 'Who is connected', 'What was said last', 'Stop the level'])
    await expect(list).toContainText(text);
  await ada.getByRole('switch', { name: 'Letters ask questions' }).press(' ');
  await ada.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await ada.keyboard.press('h');
  await ada.keyboard.press('?');
  await expect(list).toBeVisible();
  expect(await said.times('Your cards: ')).toBeLessThan(2);
});

test('Extreme asks which card, and answers for both piles', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const level = { faces: { white: 'open', red: 'open' }, reward: 'nothing' } as const;
  await begin(pages, extreme({ table: [level, level, level, level] }));
  await focus(pages);
  const [ada] = pages as [Page, Page];
  const said = await Ears.of(ada);
  await ask(ada, said, 'p', /^White goes up: The pile is empty\. Red goes down: The pile is empty\.$/);
  await ask(ada, said, 'n', /^You: 1 card\. Ben: 1 card\.$/);
  const missing = (await ada.locator('[data-side=white]').count()) === 0 ? 'ArrowLeft' : 'ArrowRight';
  await ask(ada, said, missing, /^You have no card on this side\.$/);
  const there = missing === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
  const before = (await said.said()).length;
  await ada.keyboard.press(there);
  await expect(ada.getByTestId('play-card')).toBeFocused();
  await ask(ada, said, 'ArrowUp', /^That key does nothing right now\.$/);
  expect((await said.said()).slice(before).filter((text) => text.startsWith('That key'))).toHaveLength(1);

  // Later a player holds a card of each colour: Space cannot know which.
  const isTorn = async (page: Page) => (await page.locator('[data-side] [data-testid=play-card]').count()) === 2;
  let torn = false;
  for (let level = 1; level <= 4 && !torn; level += 1) {
    if (level > 1) await focus(pages);
    torn = await isTorn(ada);
    if (!torn) await playColours(pages, level * 2);
  }
  expect(torn, 'Ada gets cards of both colours').toBe(true);
  await ada.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await ask(ada, said, ' ', /^White \d+ or red \d+\? Press the left or right arrow, then Space\.$/);
});

test('Soulmates and Royale answer', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const ears = await Promise.all(pages.map(Ears.of));
  const slate = await open(ada, soulmates([{ cards: 2, look: 1, hints: 1 }]));
  for (const page of pages) await sit(page, slate);
  await ada.getByTestId('start').click();
  await expect(ada.getByTestId('look')).toBeVisible();
  await ask(ben, ears[1]!, 'p', /^The pile is empty\. The slate is empty\.$/);
  await ask(ben, ears[1]!, 'l', /^Level 1\. 3 lives\.$/);
  for (const key of ['Enter', 'ArrowUp']) await ask(ben, ears[1]!, key, /^That key does nothing right now\.$/);
  const code = await open(ada, royale());
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await expect(ada.getByTestId('royale')).toBeVisible();
  await ask(ben, ears[1]!, 'h', /^No code yet\.$/);
  await ask(ben, ears[1]!, 'p', /^Colours: empty\. Shapes: empty\.$/);
  await ask(ben, ears[1]!, 'l', /^Ada: 0 points\. Ben: 0 points\.$/);
  for (const card of ['A1', 'B2', 'C3']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  await expect(ben.locator('[data-home=place]').first()).toBeFocused();
  await ask(ben, ears[1]!, 'Enter', /^Fill all three places first\.$/);
  await ask(ben, ears[1]!, 'b', /^Place 1: yellow\.$/);
  await ask(ben, ears[1]!, 'e', /^Place 2: blue\.$/);
  await ask(ben, ears[1]!, 'Backspace', /^Place 2: empty\.$/);
  await ask(ben, ears[1]!, 'ArrowUp', /^That key does nothing right now\.$/);
  await ask(ada, ears[0]!, 'Backspace', /^That key does nothing right now\.$/);
});
