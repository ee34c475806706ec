import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { expect } from '../people';

/**
 * Speech is over when nothing has been handed to it for this long. It is longer than the three seconds after which the
 * focus goes to its home by itself (`keyfocus.ts`): a slow machine hears that in the same step as a fast one.
 */
const QUIET_MS = 4_500;
const QUIET_MS_MOST = 40_000;
/** What is answered with no word has been heard after this long. */
const SILENT_MS_MOST = 12_000;
const TABS_MOST = 20;

/** What Orca says of a page that is being loaded: how often depends on how fast that is. */
const LOADING = /^(log\.$|Screen reader on\.|Loading\.|Finished loading|Page has )|(frame|document web)\.$/;

/**
 * A person who hears one window of a real browser through Orca, and has nothing but keys. Orca runs on
 * the display and the message bus that `cargo xtask orca` has made for it.
 */
export class Listener {
  readonly page: Page;
  readonly #programs: ChildProcess[];
  readonly #file: string;
  #heard = 0;
  /** What was done and what was said, in order. */
  readonly transcript: string[] = [];

  private constructor(page: Page, programs: ChildProcess[], file: string) {
    this.page = page;
    this.#programs = programs;
    this.#file = file;
  }

  /** Opens the browser at an invitation, with Orca running, and waits until the name is asked for. */
  static async at(url: string): Promise<Listener> {
    const folder = mkdtempSync(join(tmpdir(), 'unspoken-orca-'));
    copyFileSync(join(import.meta.dirname, 'orca-customizations.py'), join(folder, 'orca-customizations.py'));
    const file = join(folder, 'speech.txt');
    writeFileSync(file, '');
    const start = (program: string, ...words: string[]) =>
      spawn(program, words, { stdio: 'ignore', env: { ...process.env, ORCA_SPEECH: file } });
    const programs = [start('openbox'), start('orca', '--user-prefs', folder)];
    await expect.poll(() => readFileSync(file, 'utf8'), { message: 'Orca starts', timeout: 60_000 }).toContain('Screen reader on.');
    // A window without an address bar: the keys are the page's from the start.
    const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      headless: false,
      env: process.env as Record<string, string>,
      viewport: null,
      locale: 'en-GB',
      args: [`--app=${url}`, '--no-sandbox', '--test-type', '--force-renderer-accessibility', '--no-first-run', '--window-size=1280,900'],
    });
    const listener = new Listener(context.pages()[0]!, programs, file);
    await expect.poll(() => readFileSync(file, 'utf8'), { message: 'Orca reads the page', timeout: 60_000 }).toContain(' entry ');
    return listener;
  }

  /** Hears what is said until it is quiet, and writes it behind what was done. */
  async hear(done: string): Promise<void> {
    this.transcript.push(`> ${done}`, ...(await this.#listen()));
  }

  /** Presses keys on the real keyboard, and hears the answer. */
  async press(...keys: string[]): Promise<void> {
    execFileSync('xdotool', ['key', '--delay', '120', ...keys]);
    await this.hear(keys.join(' '));
  }

  /** Presses Tab until the focus is at a part of the page, and hears what it passes. */
  async tabTo(testId: string): Promise<void> {
    const part = this.page.getByTestId(testId).first();
    await expect(part).toBeVisible();
    const isThere = () => part.evaluate((element) => element.contains(document.activeElement));
    for (let presses = 0; presses < TABS_MOST && !(await isThere()); presses += 1) await this.press('Tab');
    expect(await isThere(), `Tab leads to ${testId}`).toBe(true);
  }

  /** Types a word on the real keyboard. What it says is left out: it is the letters. */
  async type(word: string): Promise<void> {
    execFileSync('xdotool', ['type', '--delay', '120', word]);
    await this.#listen();
    this.transcript.push(`> ${word}`);
  }

  /** Ends the browser and Orca. */
  async close(): Promise<void> {
    await this.page.context().close();
    for (const program of this.#programs) program.kill();
  }

  async #listen(): Promise<string[]> {
    const all = () => readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    let lines = all();
    const start = Date.now();
    let since: number | null = lines.length > this.#heard ? start : null;
    // Nearly everything is answered, and a busy machine takes its time to begin.
    const isOver = () => Date.now() - (since ?? start) > (since === null ? SILENT_MS_MOST : QUIET_MS);
    while (Date.now() - start < QUIET_MS_MOST && !isOver()) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const now = all();
      if (now.length > lines.length) since = Date.now();
      lines = now;
    }
    const said = lines.slice(this.#heard).flatMap((line) => (LOADING.test(line) ? [] : [steady(line)]));
    this.#heard = lines.length;
    return said;
  }
}

/** A line without what differs from run to run: the table's code and the suggested name. */
function steady(line: string): string {
  return line.replace(/[0-9a-z]{6} · Unspoken/, 'CODE · Unspoken').replace(/entry \S+ (selected )?required/, 'entry NAME $1required');
}
