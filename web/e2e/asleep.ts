import type { Page } from './people';

/** Lets a page's clock stand still, as it does on a device that sleeps. */
export async function canSleep(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let slept = 0;
    const now = performance.now.bind(performance);
    performance.now = () => now() - slept;
    const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!.get!;
    Object.defineProperty(Event.prototype, 'timeStamp', {
      get(this: Event) {
        return (stamp.call(this) as number) - slept;
      },
    });
    Object.assign(window, { sleepFor: (ms: number) => (slept += ms) });
  });
}

/** The page's clock has stood still for so long, and the device wakes. */
export async function sleep(page: Page, ms: number): Promise<void> {
  await page.evaluate((ms) => {
    (window as unknown as { sleepFor: (ms: number) => void }).sleepFor(ms);
    document.dispatchEvent(new Event('resume'));
  }, ms);
}
