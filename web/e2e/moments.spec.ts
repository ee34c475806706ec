import { begin, byCard, expect, focus, mind, test } from './people';

test('a stop, a mistake and a star, as both see them', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [(typeof pages)[0], (typeof pages)[0]];
  await begin(pages, mind({ levels: 3 }));
  await focus(pages);

  await ben.keyboard.press('Escape');
  for (const page of pages) await expect(page.getByTestId('story')).toContainText('Ben stopped');
  await focus(pages);

  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  for (const page of pages) {
    await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'completed');
    await expect(page.getByTestId('story')).toContainText(`Should have come before ${highest!.value}:`);
    await expect(page.getByTestId('lives')).toHaveAttribute('data-count', '4');
    await expect(page.getByTestId('spoken')).toContainText(`${lowest!.value} from`);
  }

  await focus(pages);
  await ada.getByTestId('raise').click();
  await expect(ben.getByTestId('player-A')).toContainText('proposes a star');
  await ada.getByTestId('raise').click();
  await expect(ben.getByTestId('player-A')).not.toContainText('proposes a star');
  await ada.getByTestId('raise').click();
  await ben.getByTestId('raise').click();
  for (const page of pages) {
    await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'starred');
    await expect(page.getByTestId('stars')).toHaveAttribute('data-count', '0');
  }
});

test('a mistake shows whose cards should have come first', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  await begin(pages, mind({ levels: 3 }));
  // The first level has one card each; from the second on a mistake leaves cards to play.
  await focus(pages);
  await (await byCard(pages))[1]!.page.getByTestId('play-card').click();
  await focus(pages);
  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  for (const page of pages) {
    const story = page.getByTestId('story');
    await expect(story).toHaveAttribute('data-kind', 'erred');
    await expect(story).toContainText(`before ${highest!.value}`);
    await expect(story.getByRole('list')).toContainText(String(lowest!.value));
  }
});
