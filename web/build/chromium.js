// The browser of stories, pictures and measurements: the one that CHROMIUM names, or one of Debian's.
import { existsSync } from 'node:fs';

const DEBIANS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

export const CHROMIUM = process.env['CHROMIUM'] ?? DEBIANS.find((path) => existsSync(path)) ?? '/usr/bin/chromium';

/** How it is launched: without windows, and without asking anything of other hosts. */
export const LAUNCH = {
  executablePath: CHROMIUM,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
