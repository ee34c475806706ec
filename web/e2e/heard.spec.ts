import { begin, expect, extreme, mind, open, royale, sit, soulmates, test, type Page } from './people';

/*
 * Games as somebody with a screen reader plays them: what is said is all they know of the table,
 * and buttons are found by their names.
 */

/** Everything that a page has said so far, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const hear = (node: Node) => {
      const region = node.parentElement?.closest('[aria-live], [role=log]');
      const text = node.textContent?.trim();
      if (region?.getAttribute('role') === 'log' && text) said.push(text);
    };
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(hear))).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

/** Presses a button that goes by this name, once it can be pressed. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

/** Everyone lays a hand on the table, by the button's name. */
async function layHands(pages: Page[]): Promise<void> {
  for (const page of pages) await press(page, 'Your hand on the table');
}

/** The last thing said that looks like this. */
async function last(said: () => Promise<string[]>, pattern: RegExp): Promise<RegExpMatchArray> {
  const found = async () => (await said()).map((text) => text.match(pattern)).findLast((match) => match !== null);
  await expect.poll(async () => (await found()) !== undefined, String(pattern)).toBe(true);
  return (await found())!;
}

/** How often something was said. */
const times = async (said: () => Promise<string[]>, text: string) => (await said()).filter((line) => line.includes(text)).length;

test('The Mind is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const ears = [await listen(pages[0]!), await listen(pages[1]!)];
  await begin(pages, mind({ levels: 2 }));
  for (const level of [1, 2]) {
    const hands: number[][] = [];
    for (const said of ears) hands.push((await last(said, new RegExp(`^Level ${level}\\. Your cards: (.*)\\.$`)))[1]!.match(/\d+/g)!.map(Number));
    await layHands(pages);
    for (const said of ears) await expect.poll(() => times(said, 'Play begins.')).toBe(level);
    const order = hands.flatMap((cards, player) => cards.map((card) => ({ card, player }))).sort((a, b) => a.card - b.card);
    for (const { card, player } of order) {
      // Before it is laid the other has not heard of it.
      expect(await times(ears[1 - player]!, ` plays ${card}.`)).toBe(0);
      await press(pages[player]!, `Play ${card}`);
      await expect.poll(() => times(ears[player]!, `You play ${card}.`)).toBe(1);
      await expect.poll(() => times(ears[1 - player]!, ` plays ${card}.`)).toBe(1);
    }
  }
  for (const said of ears) {
    expect(await times(said, 'Level 1 complete')).toBe(1);
    await expect.poll(() => times(said, 'won')).toBeGreaterThan(0);
  }
});

test('Extreme is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const ears = [await listen(pages[0]!), await listen(pages[1]!)];
  await begin(pages, extreme());
  const hands: { colour: string; value: number; player: number }[] = [];
  for (const [player, said] of ears.entries()) {
    const [, cards] = await last(said, /^Level 1\. Your cards: (.*)\.$/);
    for (const [, colour, value] of cards!.matchAll(/(white|red) (\d+)/g)) hands.push({ colour: colour!, value: Number(value), player });
  }
  expect(hands).toHaveLength(2);
  await layHands(pages);
  const order = hands.sort((a, b) => (a.colour === b.colour ? (a.value - b.value) * (a.colour === 'red' ? -1 : 1) : a.colour === 'white' ? -1 : 1));
  for (const { colour, value, player } of order) await press(pages[player]!, `Play ${colour} ${value}`);
  for (const said of ears) {
    for (const { colour, value } of hands) await expect.poll(() => times(said, `${colour} ${value}`)).toBeGreaterThan(0);
    await expect.poll(() => times(said, 'Level 1 complete')).toBe(1);
  }
});

test('Soulmates is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const ears = [await listen(ada), await listen(ben)];
  const code = await open(ada, soulmates([{ cards: 2, look: 1, hints: 1 }]));
  for (const page of pages) await sit(page, code);
  await press(ada, 'Start');
  await press(ada, 'Look at the cards');
  const [, seen] = await last(ears[0]!, /^Only you see: (\d+)\.$/);
  expect(await times(ears[1]!, 'Only you see')).toBe(0);
  await press(ada, new RegExp(`\\b${seen}\\b`));
  await press(ada, 'Write on the slate');
  for (const said of ears) await expect.poll(() => times(said, `On the slate: ${seen}.`)).toBe(1);
  const hands: { card: number; player: number }[] = [];
  for (const [player, said] of ears.entries()) {
    const [, cards] = await last(said, /Your cards?: (.*)\.$/);
    for (const card of cards!.match(/\d+/g) ?? []) hands.push({ card: Number(card), player });
  }
  await layHands(pages);
  for (const { card, player } of hands.sort((a, b) => a.card - b.card)) {
    await press(pages[player]!, `Play ${card}`);
    await expect.poll(() => times(ears[1 - player]!, 'plays a card face down')).toBeGreaterThan(0);
  }
  for (const said of ears) await expect.poll(() => times(said, 'Level 1 complete')).toBe(1);
});

test('Royale is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const ears = [await listen(ada), await listen(ben)];
  const code = await open(ada, royale());
  for (const page of pages) await sit(page, code);
  await press(ada, 'Start');
  for (const card of [/red circle/, /yellow rectangle/, /green triangle/]) await press(ada, card);
  await press(ada, 'Hide this code');
  await expect.poll(() => times(ears[1]!, 'Ada has hidden')).toBe(1);
  for (const colour of ['Red', 'Yellow', 'Green']) await press(ben, new RegExp(`^${colour}`, 'i'));
  await press(ben, 'Ask');
  for (const said of ears) await expect.poll(() => times(said, 'red, yellow, green: 3 in place, 0 elsewhere.')).toBe(1);
  for (const shape of ['Circle', 'Rectangle', 'Triangle']) await press(ben, new RegExp(`^${shape}`, 'i'));
  await press(ben, 'Ask');
  for (const said of ears) await expect.poll(() => times(said, 'The code was red circle, yellow rectangle, and green triangle.')).toBe(1);
});
