// The browser of stories, pictures and measurements: the one that CHROMIUM names, or one of Debian's.
import { existsSync } from 'node:fs';

const DEBIANS = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

export const CHROMIUM = process.env['CHROMIUM'] ?? DEBIANS.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
