import type { CDPSession, Page } from '@playwright/test';
import { expect } from './people';

/** A part of what the browser hands to screen readers. */
interface Part {
  nodeId: string;
  role?: { value: string };
  name?: { value: string };
  childIds?: string[];
}

/**
 * What a page says, as the browser hands it to screen readers: each line that is added to its live
 * regions, in the order of the accessibility tree. Later lines push earlier ones out, so it listens on.
 */
export class Ears {
  readonly #session: CDPSession;
  readonly #said = new Map<string, string>();
  #reading: Promise<void> = Promise.resolve();

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<Ears> {
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    const ears = new Ears(session);
    session.on('Accessibility.nodesUpdated', () => void ears.#listen());
    session.on('Accessibility.loadComplete', () => void ears.#listen());
    return ears;
  }

  /** Every line so far. */
  async said(): Promise<string[]> {
    await this.#listen();
    return [...this.#said.values()];
  }

  /** The last line that looks like this, once there is one. */
  async last(pattern: RegExp): Promise<RegExpMatchArray> {
    const found = async () => (await this.said()).map((text) => text.match(pattern)).findLast((match) => match !== null);
    await expect.poll(async () => (await found()) !== undefined, String(pattern)).toBe(true);
    return (await found())!;
  }

  /** How many lines say this. */
  async times(text: string): Promise<number> {
    return (await this.said()).filter((line) => line.includes(text)).length;
  }

  #listen(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    // A page that is being left has no tree for a moment.
    const tree = await this.#session.send('Accessibility.getFullAXTree').catch(() => null);
    const parts = new Map(((tree?.nodes ?? []) as Part[]).map((part) => [part.nodeId, part]));
    const children = (part: Part) => (part.childIds ?? []).flatMap((id) => parts.get(id) ?? []);
    const textOf = (part: Part): string =>
      part.role?.value === 'StaticText' ? (part.name?.value ?? '') : children(part).map(textOf).join('');
    for (const region of parts.values()) {
      if (region.role?.value !== 'log') continue;
      for (const line of children(region)) this.#said.set(line.nodeId, textOf(line));
    }
  }
}
