import { Ears } from './ears';
import { begin, byCard, expect, focus, mind, open, sit, test, type Page } from './people';

/** Counts the sounds that a page makes: notes, and loops in the background. */
async function listen(page: Page): Promise<() => Promise<{ notes: number; loops: number }>> {
  await page.addInitScript(() => {
    const heard = { notes: 0, loops: 0 };
    Object.assign(window, { heard });
    const count = (node: { prototype: AudioScheduledSourceNode }, what: keyof typeof heard) => {
      const start = node.prototype.start;
      node.prototype.start = function (...args: [number?]) {
        if (!(this.context instanceof OfflineAudioContext)) heard[what] += 1;
        start.apply(this, args);
      };
    };
    count(OscillatorNode, 'notes');
    count(AudioBufferSourceNode, 'loops');
  });
  return () => page.evaluate(() => (window as unknown as { heard: { notes: number; loops: number } }).heard);
}

async function inMenu(page: Page, change: () => Promise<void>): Promise<void> {
  await page.getByTestId('menu').click();
  await change();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('volume, still water and sounds in words are kept on the device', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const heard = await listen(ada);
  await begin(pages, mind({ levels: 3 }));
  await inMenu(ada, async () => {
    await expect(ada.getByTestId('volume')).toHaveValue('70');
    await ada.getByTestId('volume').press('ArrowDown');
    await expect(ada.getByRole('status')).toHaveText('65 %');
    await ada.getByRole('switch', { name: 'Show sounds in words' }).check();
  });
  await focus(pages);
  await expect.poll(async () => (await heard()).notes).toBeGreaterThan(0);
  expect((await heard()).loops, 'nothing in the background unless it is wanted').toBe(0);

  const [lowest] = await byCard(pages);
  await lowest!.page.getByTestId('play-card').click();
  await expect(ada.getByTestId('captions')).toContainText('Tap of a card');
  await expect(ben.getByTestId('captions')).toHaveCount(0);
  await expect(ada.getByTestId('captions')).toBeEmpty();

  await inMenu(ada, () => ada.getByRole('switch', { name: 'Still water' }).check());
  await expect.poll(async () => (await heard()).loops).toBe(1);

  await inMenu(ada, async () => {
    for (let volume = 65; volume > 0; volume -= 5) await ada.getByTestId('volume').press('ArrowDown');
    await expect(ada.getByRole('status')).toHaveText('off');
  });
  await ada.reload();
  await expect(ada.getByTestId('menu')).toBeVisible();
  await inMenu(ada, async () => {
    await expect(ada.getByTestId('volume')).toHaveValue('0');
    await expect(ada.getByRole('switch', { name: 'Still water' })).toBeChecked();
  });
  expect(await heard()).toEqual({ notes: 0, loops: 0 });
});

test('with sound first only the number is spoken, and the others are told that a moment more is needed', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const heard = await listen(ada);
  const code = await open(ada, mind({ levels: 1 }));
  for (const page of pages) await sit(page, code);
  const ears = await Promise.all(pages.map(Ears.of));
  await ada.getByTestId('settings').click();
  await ada.getByRole('switch', { name: 'Sound first' }).check();
  await ada.keyboard.press('Escape');
  await expect(ben.getByTestId('seat-A').getByTestId('unhurried')).toHaveText('needs a moment more');
  await expect.poll(() => ears[1]!.times('Ada needs a moment more.')).toBe(1);
  await ada.getByTestId('start').click();
  await focus(pages);
  const before = (await heard()).notes;
  const [lowest] = await byCard(pages);
  await lowest!.page.getByTestId('play-card').click();
  await expect.poll(async () => (await ears[0]!.said()).at(-1)).toBe(`${lowest!.value}.`);
  expect((await heard()).notes).toBeGreaterThan(before);
  await ears[1]!.last(new RegExp(`plays? ${lowest!.value}\\.`));
});

test('a phone that shows only the hand leaves the sounds to the big screen', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const tv = await stranger({ viewport: { width: 1920, height: 1080 } });
  const [onPhone, onScreen] = [await listen(ada), await listen(tv)];
  const code = await begin(pages, mind());
  await tv.goto(`/table/${code}/screen`);
  await tv.mouse.click(400, 400);
  await inMenu(ada, async () => {
    await ada.getByRole('switch', { name: /Only my hand/ }).check();
    await expect(ada.getByRole('dialog')).toContainText('the big screen is heard');
  });
  const before = (await onPhone()).notes;
  await focus(pages);
  await expect.poll(async () => (await onScreen()).notes).toBeGreaterThan(0);
  expect((await onPhone()).notes).toBe(before);
});
