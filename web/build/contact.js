// One page with all pictures of `shots/`, and one picture of it: run by `cargo xtask shots`.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { LAUNCH } from './chromium.js';

const SHOTS = join(import.meta.dirname, '../shots');
const SIZES = ['360', '1280', '1920'];
const THEMES = ['dark', 'light'];
const WIDTHS = { 360: 130, 1280: 300, 1920: 340 };

const files = new Set(readdirSync(SHOTS));
const names = [...new Set([...files].flatMap((file) => /^(.+)-360-dark\.png$/.exec(file)?.[1] ?? []))].sort();
if (names.length === 0) throw new Error('there are no pictures in web/shots');

const cells = (name) =>
  SIZES.flatMap((size) =>
    THEMES.map((theme) => `${name}-${size}-${theme}.png`).map((file) =>
      files.has(file) ? `<td><a href="${file}"><img src="${file}" width="${WIDTHS[size]}" alt="${file}"></a></td>` : '<td>missing</td>',
    ),
  ).join('');
const head = SIZES.flatMap((size) => THEMES.map((theme) => `<th>${size} ${theme}</th>`)).join('');
const rows = names.map((name) => `<tr><th>${name}</th>${cells(name)}</tr>`).join('\n');
writeFileSync(
  join(SHOTS, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Unspoken: every state</title>
<style>body{margin:16px;background:#333;color:#eee;font:14px sans-serif}th{text-align:left;vertical-align:top;padding:6px}td{padding:3px;vertical-align:top}img{display:block}</style>
<table><thead><tr><th></th>${head}</tr></thead><tbody>\n${rows}\n</tbody></table>\n`,
);

const browser = await chromium.launch(LAUNCH);
const page = await browser.newPage({ viewport: { width: 1850, height: 1000 } });
await page.goto(`file://${join(SHOTS, 'index.html')}`);
await page.screenshot({ path: join(SHOTS, 'contact-sheet.png'), fullPage: true });
await browser.close();
console.log(`${names.length} states in web/shots/index.html and web/shots/contact-sheet.png`);
