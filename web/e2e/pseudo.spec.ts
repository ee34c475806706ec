import { begin, byCard, expect, extreme, focus, mind, open, royale, sit, soulmates, test, type Page } from './people';
import { expectTranslatable as check, faults, speakPseudo } from './pseudo';
import { serve } from './server';
import { GAME_NAMES } from './shots';
import { EVERY_KIND, INSTRUCTIONS, studyFile } from './studies';

const OPTIONS = { serviceWorkers: 'block' } as const;

test('every text of the pages is in a catalogue and has room to grow', async ({ stranger }) => {
  const page = await stranger(OPTIONS);
  await speakPseudo(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('[Pláý wíthóút');
  await check(page, 'home');
  await page.getByTestId('settings').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check(page, 'settings');
  await page.keyboard.press('Escape');
  await page.getByTestId('new-table').click();
  await page.getByTestId('more').locator('summary').click();
  await check(page, 'new table');
  await page.getByTestId('agree-setup').click();
  await expect(page.getByTestId('name')).toBeVisible();
  await check(page, 'name');
  for (const path of [
    '/learn',
    '/device',
    '/device#00ff',
    '/daily',
    '/accessibility',
    ...GAME_NAMES.map((game) => `/rules/${game}`),
    '/rules/nothing',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path.startsWith('/rules') && !path.endsWith('nothing')) await expect(page.getByTestId('guide')).toBeVisible();
    await check(page, path);
  }
});

test('every text of a lesson is in a catalogue and has room to grow', async ({ person }) => {
  const page = await person('Ada', { ...OPTIONS, viewport: { width: 360, height: 740 } });
  await speakPseudo(page);
  await page.goto('/learn/mind');
  await expect(page.getByTestId('coach')).toHaveAttribute('data-step', 'lay');
  await check(page, 'a lesson');
});

test('texts in no catalogue, texts that are cut off and pages that are too wide are found', async ({ stranger }) => {
  const page = await stranger(OPTIONS);
  await speakPseudo(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => {
    const add = (text: string, styles: Partial<CSSStyleDeclaration>) => {
      const box = document.body.appendChild(document.createElement('p'));
      box.textContent = text;
      Object.assign(box.style, { whiteSpace: 'nowrap' }, styles);
      return box;
    };
    add('Forgotten', {}).ariaLabel = 'Overlooked [fóúñd]';
    add('[A lóñg téxt]', { width: '20px', overflow: 'hidden' });
    add('[Wídé]', { width: '3000px' });
  });
  const { untranslated, clipped, wide } = await faults(page);
  expect(untranslated.sort()).toEqual(['Forgotten', 'Overlooked']);
  expect(clipped).toEqual(['[A lóñg téxt]']);
  expect(wide).toBeGreaterThan(1000);
});

test('every text of The Mind, its replay, the record and the big screen is in a catalogue and has room to grow', async ({
  person,
  stranger,
}) => {
  const ada = await person('Ada', OPTIONS);
  const tv = await stranger({ ...OPTIONS, viewport: { width: 1920, height: 1080 } });
  await speakPseudo(tv);
  const ben = await person('Ben');
  const pages: Page[] = [ada, ben];
  await speakPseudo(ada);
  const code = await open(ada, mind({ levels: 1, lives: 1 }));
  await sit(ada, code);
  await check(ada, 'lobby with a free seat');
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByTestId('screen-code')).toBeVisible();
  await check(tv, 'the lobby on the big screen');
  await sit(ben, code);
  await ada.getByTestId('start').click();
  await expect(ada.getByTestId('pad')).toBeVisible();
  await check(ada, 'focus');
  await focus(pages);
  await check(ada, 'playing');
  await expect(tv.getByTestId('pile')).toBeVisible();
  await check(tv, 'playing, on the big screen');
  await ada.getByTestId('menu').click();
  await check(ada, 'menu');
  await ada.getByTestId('show-keys').click();
  await expect(ada.getByTestId('keys')).toBeVisible();
  await check(ada, 'keys');
  await ada.keyboard.press('Escape');
  await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
  await check(ada, 'ending');
  await expect(tv.locator('[data-scene]')).toHaveCount(0);
  await expect(tv.getByTestId('ending')).toBeVisible();
  await check(tv, 'ending, on the big screen');
  for (const dialog of ['tempo', 'deal']) {
    await ada.getByTestId(dialog).click();
    await expect(ada.getByRole('dialog')).toBeVisible();
    await check(ada, dialog);
    await ada.keyboard.press('Escape');
  }
  await ada.goto(`/replay/${code}-1`);
  await expect(ada.getByTestId('replay-page')).toBeVisible();
  await check(ada, 'replay');
  await expect(async () => {
    await ada.goto('/me');
    await expect(ada.getByTestId('game')).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await check(ada, 'record');
});

test('every text of Soulmates and Extreme is in a catalogue and has room to grow', async ({ person }) => {
  const ada = await person('Ada', OPTIONS);
  const ben = await person('Ben');
  const pages: Page[] = [ada, ben];
  await speakPseudo(ada);
  const code = await open(ada, soulmates([{ cards: 2, look: 1, hints: 1 }]));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await expect(ada.getByTestId('look')).toBeVisible();
  await check(ada, 'the Seer');
  await ada.getByTestId('look').click();
  await expect(ada.getByTestId('write')).toBeVisible();
  await check(ada, 'a hint');
  await begin(pages, extreme());
  await focus(pages);
  await check(ada, 'both piles');
  await ada.setViewportSize({ width: 360, height: 740 });
  await ada.getByTestId('menu').click();
  await ada.getByRole('dialog').getByRole('switch').first().check();
  await ada.keyboard.press('Escape');
  await expect(ada.getByTestId('pile')).toHaveCount(0);
  await check(ada, 'the hand alone');
  for (const page of pages) await page.getByTestId('raise').click();
  await expect(ada.getByTestId('choice')).toBeVisible();
  await check(ada, 'a card for the star');
});

test('every text of Royale is in a catalogue and has room to grow', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben', OPTIONS);
  await speakPseudo(ben);
  const code = await open(ada, royale());
  for (const page of [ada, ben]) await sit(page, code);
  await ada.getByTestId('start').click();
  await expect(ben.getByTestId('royale')).toBeVisible();
  await check(ben, 'waiting for a code');
  for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  await expect(ben.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
  for (const kind of [2, 4, 1]) await ben.getByTestId(`token-colours-${kind}`).click();
  await ben.getByTestId('ask-colours').click();
  await expect(ben.getByTestId('row-colours')).toHaveCount(1);
  await check(ben, 'asking');
});

test('every text of a study is in a catalogue, or in its own file, and has room to grow', async ({ stranger }) => {
  const server = await serve();
  try {
    server.operate('study', 'add', studyFile({ name: 'pseudo', limit_s: 3, more: INSTRUCTIONS + EVERY_KIND }));
    const page = await stranger(OPTIONS);
    await speakPseudo(page);
    await page.goto(`${server.url}/study/pseudo`);
    await expect(page.getByTestId('statement').first()).toBeVisible();
    await page.getByTestId('agree').click();
    await check(page, 'consent');
    for (const box of await page.getByTestId('statement').all()) await box.check();
    await page.getByTestId('agree').click();
    await expect(page.getByTestId('instructions')).toBeVisible();
    await check(page, 'instructions');
    for (let turned = 0; turned < 2; turned += 1) await page.getByTestId('study-on').click();
    await page.getByLabel('From high to low').check();
    await page.getByTestId('study-on').click();
    await expect(page.getByTestId('item')).toContainText('lást');
    await check(page, 'comprehension');
    await page.getByLabel('From low to high').check();
    await page.getByTestId('study-on').click();
    await expect(page.locator('[data-id=years]')).toBeVisible();
    await page.getByTestId('study-on').click();
    await check(page, 'a questionnaire');
    await page.getByTestId('study-leave').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'leaving a study');
    await page.getByTestId('withdraw').click();
    await check(page, 'withdrawing');
    await page.keyboard.press('Escape');
    await page.getByLabel('Once or twice').check();
    await page.getByLabel('For how many years').fill('7');
    await page.getByRole('radio').nth(5).check();
    await page.getByRole('slider').press('ArrowRight');
    await page.getByLabel('A feeling').check();
    await page.getByLabel('One word about today').fill('[x]');
    await page.getByTestId('study-on').click();
    await expect(page.getByTestId('wait-people')).toBeVisible();
    await check(page, 'waiting for a partner');
    await expect(page.getByTestId('end')).toHaveAttribute('data-end', 'no-partner');
    await check(page, 'the end of a study');
  } finally {
    server.stop();
  }
});
