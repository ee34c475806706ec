import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from './axe';
import { byCard, expect, focus, test, type Page } from './people';
import { picture } from './picture';
import { serve } from './server';
import { AFTER, CODES, EVERY_KIND, INSTRUCTIONS, studyFile } from './studies';

type Server = Awaited<ReturnType<typeof serve>>;

/** A server with the study of a story. */
async function withStudy(wish: Parameters<typeof studyFile>[0], story: (link: string, server: Server) => Promise<void>): Promise<void> {
  const server = await serve();
  try {
    server.operate('study', 'add', studyFile(wish));
    await story(`${server.url}/study/${wish.name}`, server);
  } finally {
    server.stop();
  }
}

const step = (page: Page) => page.getByTestId('study').getAttribute('data-step');

async function consent(page: Page): Promise<void> {
  for (const box of await page.getByTestId('statement').all()) await box.check();
  await page.getByTestId('agree').click();
}

/** Arrives and consents. */
async function arrive(page: Page, link: string, participant: string): Promise<void> {
  await page.goto(`${link}?PROLIFIC_PID=${participant}`);
  await expect(page.getByTestId('statement').first()).toBeVisible();
  await consent(page);
}

async function expectEnd(page: Page, end: string): Promise<void> {
  await expect(page.getByTestId('end')).toHaveAttribute('data-end', end);
}

/** Plays the only level in the right order. */
async function playGame(pages: Page[]): Promise<void> {
  for (const page of pages) await expect(page.getByTestId('pad')).toBeVisible();
  await focus(pages);
  const [first, second] = await byCard(pages);
  await first!.page.getByTestId('play-card').click();
  await expect(second!.page.getByTestId('pile')).toHaveAttribute('data-count', '1');
  await second!.page.getByTestId('play-card').click();
  for (const page of pages) await expect(page.getByTestId('ending')).toBeVisible();
}

test('two people go through a whole study, and a third comes with an id that was used', async ({ stranger }) => {
  const more = INSTRUCTIONS + EVERY_KIND + AFTER;
  await withStudy({ name: 'whole', limit_s: 120, more }, async (link) => {
    const [ada, ben] = [await stranger(), await stranger()];
    const notes: unknown[] = [];
    ada.on('request', (request) => request.url().endsWith('/notes') && notes.push(request.postDataJSON()));
    await ada.goto(`${link}?PROLIFIC_PID=ada`);
    await expect(ada.getByRole('heading', { level: 1 })).toHaveText('[A short study]');
    // Every statement has to be ticked.
    await ada.getByTestId('agree').click();
    await expect(ada.getByRole('alert').filter({ hasText: 'tick every sentence' })).toBeVisible();
    await expect(ada.getByTestId('statement').first()).toBeFocused();
    await expectAccessible(ada, 'consent');
    await picture(ada, 'study-consent');
    await consent(ada);

    await expect(ada.getByTestId('instructions')).toContainText('Each of you holds a card');
    await expect(ada.getByRole('heading', { level: 1 })).toBeFocused();
    await picture(ada, 'study-instructions');
    await ada.getByTestId('study-on').click();
    await expect(ada.getByTestId('instructions')).toContainText('the lowest first');
    await ada.getByTestId('study-on').click();

    // The first try is wrong, by keyboard alone.
    await expect(ada.getByTestId('tries')).toContainText('2 tries');
    await ada.getByLabel('From high to low').focus();
    await ada.keyboard.press('Space');
    await ada.keyboard.press('Tab');
    await ada.keyboard.press('Enter');
    await expect(ada.getByTestId('tries')).toContainText('1 try');
    await expect(ada.getByTestId('item')).toContainText('Your last answer was not right');
    await expectAccessible(ada, 'comprehension');
    await picture(ada, 'study-check');
    await ada.getByLabel('From low to high').check();
    await ada.getByTestId('study-on').click();

    await questions(ada);
    await expect.poll(() => step(ada)).toBe('waiting');
    await expect(ada.getByTestId('wait-people')).toHaveText('1 of 2 are here');
    await expect(ada.getByTestId('wait-time')).toContainText('at most');
    await expectAccessible(ada, 'waiting');
    await picture(ada, 'study-waiting');

    // The other one does all this, too.
    await arrive(ben, link, 'ben');
    for (let page = 0; page < 2; page += 1) await ben.getByTestId('study-on').click();
    await ben.getByLabel('From low to high').check();
    await ben.getByTestId('study-on').click();
    await answerAll(ben);
    await ben.getByTestId('study-on').click();

    // The match leads both to their table, where there is nothing for hosts.
    await expect(ada).toHaveURL(/\/table\/[a-z0-9]{6}$/);
    await expect(ada.getByTestId('pad')).toBeVisible();
    await expect(ada.getByTestId('chat')).toBeHidden();
    await ada.getByTestId('menu').click();
    await expect(ada.getByTestId('study-leave')).toBeVisible();
    for (const none of ['propose-end', 'leave', 'host-room']) await expect(ada.getByTestId(none)).toBeHidden();
    await expectAccessible(ada, 'the menu at the table of a study');
    await ada.keyboard.press('Escape');
    await picture(ada, 'study-table');
    await playGame([ada, ben]);
    for (const none of ['rematch', 'deal', 'seats', 'replay']) await expect(ada.getByTestId(none)).toBeHidden();
    await picture(ada, 'study-over');
    for (const page of [ada, ben]) {
      await page.getByTestId('study-go-on').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('[The last question]');
      await page.getByRole('radio', { name: '5 of 5' }).check();
      await page.getByTestId('study-on').click();
      await expectEnd(page, 'completed');
    }
    await expect(ada.getByTestId('code')).toHaveText(CODES.completed);
    await expect(ada.getByTestId('finish')).toHaveAttribute('href', 'https://panel.example.org/complete?cc=completed');
    await expectAccessible(ada, 'the end');
    await picture(ada, 'study-completed');
    const kinds = notes
      .flatMap((body) => (body as { notes: { what: string | object }[] }).notes)
      .map(({ what }) => Object.keys(Object(what))[0]);
    expect(kinds).toEqual(expect.arrayContaining(['screen', 'shown', 'pressed']));

    const again = await stranger();
    await again.goto(`${link}?PROLIFIC_PID=ada`);
    await expectEnd(again, 'second-try');
  });
});

/** Answers every kind of question, after a try with none of them. */
async function questions(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('[Before we begin]');
  await page.getByTestId('study-on').click();
  await expect(page.getByRole('alert').filter({ hasText: '6 answers are missing' })).toBeVisible();
  await expect(page.getByLabel('Never')).toBeFocused();
  await expectAccessible(page, 'a questionnaire');
  await picture(page, 'study-questions');
  await page.getByLabel('For how many years').fill('200');
  await expect(page.locator('[data-id=years]')).toContainText('A whole number from 0 to 80.');
  await answerAll(page);
  await page.getByTestId('study-on').click();
}

async function answerAll(page: Page): Promise<void> {
  await page.getByLabel('Once or twice').check();
  await page.getByLabel('For how many years').fill('7');
  await page.getByRole('radio', { name: '6 of 7' }).check();
  await page.getByRole('slider').press('ArrowRight');
  await page.getByLabel('A feeling').check();
  await page.getByLabel('One word about today').fill('calm');
}

test('one person refuses, another waits in vain', async ({ stranger }) => {
  await withStudy({ name: 'brief', limit_s: 3 }, async (link) => {
    const ada = await stranger();
    await ada.goto(link);
    await ada.getByTestId('decline').click();
    await expectEnd(ada, 'refused');
    await expect(ada.getByTestId('code')).toHaveText(CODES.refused);
    await picture(ada, 'study-refused');
    const ben = await stranger();
    await arrive(ben, link, 'ben');
    await expect(ben.getByTestId('wait-time')).toContainText('0:03');
    await expectEnd(ben, 'no-partner');
    await expect(ben.getByTestId('finish')).toHaveText('Finish at panel.example.org');
  });
});

test('a player who was gone plays on; a player who leaves ends the game for both; withdrawing deletes', async ({ stranger }) => {
  await withStudy({ name: 'gone' }, async (link) => {
    const [ada, ben] = [await stranger(), await stranger()];
    await arrive(ada, link, 'ada');
    await arrive(ben, link, 'ben');
    for (const page of [ada, ben]) await expect(page.getByTestId('pad')).toBeVisible();

    // Ada's page is closed. Ben is told, and decides nothing; the link leads Ada back to the game.
    await ada.goto('about:blank');
    await expect(ben.getByTestId('missing')).toContainText('the study goes on without them');
    await expect(ben.getByTestId('missing').getByRole('button')).toHaveCount(0);
    await ada.goto(`${link}?PROLIFIC_PID=ada`);
    await expect(ada).toHaveURL(/\/table\//);
    await expect(ben.getByTestId('missing')).toBeHidden();

    await ben.getByTestId('menu').click();
    await ben.getByTestId('study-leave').click();
    await expect(ben.getByTestId('leave-sure')).toBeVisible();
    await expectAccessible(ben, 'leaving a study');
    await picture(ben, 'study-leave');
    await ben.getByTestId('leave-sure').click();
    await expectEnd(ben, 'dropped-out');
    await ada.getByTestId('study-go-on').click();
    await expectEnd(ada, 'partner-left');
    await expect(ada.getByTestId('code')).toHaveText(CODES['partner-left']);

    // What Ada gave is deleted on request, also after the end.
    await ada.getByTestId('study-leave').click();
    await ada.getByTestId('withdraw-sure').click();
    await expectEnd(ada, 'withdrawn');
    await expect(ada.getByTestId('study-leave')).toBeHidden();
  });
});

test('a page of another origin embeds a study and hears its end; one that the study does not name cannot', async ({ stranger }) => {
  // Two sites of this machine: what the study names, and another.
  const frame = { address: '' };
  const around = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(
      `<!doctype html><title>Lab</title><iframe title="Study" src="${frame.address}" width="600" height="700"></iframe><script>onmessage = ({ origin, data }) => { if (data.type === 'unspoken-study') document.title = origin + ' ' + data.end }</script>`,
    );
  });
  await new Promise<void>((listening) => around.listen(0, '127.0.0.1', listening));
  const { port } = around.address() as AddressInfo;
  const lab = `http://127.0.0.1:${port}`;
  try {
    await withStudy({ name: 'framed', partner: 'kindred', embedders: [lab] }, async (link, { url }) => {
      frame.address = `${link}?PROLIFIC_PID=ada`;
      const ada = await stranger();
      await ada.goto(lab);
      const study = ada.frameLocator('iframe');
      for (const box of [0, 1]) await study.getByTestId('statement').nth(box).check();
      await study.getByTestId('agree').click();
      // The table is shown within the same frame.
      await expect(study.getByTestId('pad')).toBeVisible();
      await study.getByTestId('menu').click();
      await study.getByTestId('study-leave').click();
      await study.getByTestId('leave-sure').click();
      await expect(study.getByTestId('end')).toHaveAttribute('data-end', 'dropped-out');
      await expect.poll(() => ada.title()).toBe(`${url} dropped-out`);

      // The same page under another name is another origin.
      const policy = async (path: string) => (await ada.request.get(url + path)).headers()['content-security-policy'];
      expect(await policy('/study/framed')).toContain(`frame-ancestors ${lab};`);
      expect(await policy('/')).toContain("frame-ancestors 'none'");
    });
  } finally {
    around.close();
  }
});
