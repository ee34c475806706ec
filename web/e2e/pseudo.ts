import { parseAst } from 'vite';
import { expect, type Page } from './people';

/** With UNSPOKEN_SHOTS set, pictures are kept in `shots/` for people to look at. */
const keeps = process.env['UNSPOKEN_SHOTS'] !== undefined;

/**
 * A language that is English in brackets, with accents and 40 % longer. Text on the page that is in no brackets is in
 * no catalogue, and a layout that has no room for this has none for the next language. It is made from the English file
 * that the page loads, so no visitor ever gets it.
 */
export async function speakPseudo(page: Page): Promise<void> {
  await page.route(/\/assets\/_language_en-\w+-[^/]+\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: pseudoModule(await answer.text()) });
  });
}

/** On a phone and on a laptop every text is in a catalogue, none is cut off, and the page does not scroll sideways. */
export async function expectTranslatable(page: Page, moment: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const { untranslated, translated, ...layout } = await faults(page);
    expect(translated, `${moment} at ${width}: texts that were looked at`).toBeGreaterThan(3);
    expect.soft(untranslated, `${moment} at ${width}: not in a catalogue`).toEqual([]);
    expect.soft(layout, `${moment} at ${width}: no room for longer texts`).toEqual({ clipped: [], wide: 0 });
    if (keeps) await page.screenshot({ path: `shots/pseudo-${moment.replaceAll(/\W+/g, '-')}-${width}.png` });
  }
  if (before) await page.setViewportSize(before);
}

/** What is wrong on a page, and how many texts are not. */
export async function faults(page: Page): Promise<Faults> {
  const found = await page.evaluate(inspect);
  return { ...found, untranslated: found.untranslated.filter((text) => /\p{L}/u.test(withoutExceptions(text))) };
}

interface Faults {
  /** Visible texts and accessible names outside brackets. */
  untranslated: string[];
  translated: number;
  /** Texts that are cut off or lie over each other, and buttons that leave the window. */
  clipped: string[];
  /** By how many pixels the page is too wide. */
  wide: number;
}

/**
 * Names of people, games, languages and this program, seats, codes, hashes, keys and units are the same in every language.
 * The browser writes dates.
 */
const EXCEPTIONS = [
  /Ada|Ben|Cleo|Dan|Mia|Noah|Kim|Unspoken|Royale Mastermind|The Mind(: Soulmates| Extreme)?/g,
  /English|Français|Deutsch|Español|Italiano/g,
  /\b([A-E][1-5]?|F|[HLNPRW])\b/g,
  /\b[0-9a-f]{64}\b/g,
  /\b[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}\b/g,
  /\b[a-z0-9]{6}\b/g,
  /\b(ms|s|CSV|SVG|PNG)\b/g,
];

function withoutExceptions(text: string): string {
  return EXCEPTIONS.reduce((left, exception) => left.replace(exception, ''), text);
}

const ACCENTS: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  c: 'ç',
  n: 'ñ',
  y: 'ý',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
};

/** The pieces of a text around what is filled in. */
function pseudo(pieces: string[]): string[] {
  const accented = pieces.map((piece) => piece.replace(/[a-zA-Z]/g, (letter) => ACCENTS[letter] ?? letter));
  const more = Math.ceil(pieces.join('').length * 0.4);
  const padding =
    more < 5
      ? 'ó'.repeat(more)
      : ' éóíáú'
          .repeat(Math.ceil(more / 6))
          .slice(0, more)
          .trimEnd();
  accented[0] = `[${accented[0]}`;
  accented[accented.length - 1] += `${padding}]`;
  return accented;
}

interface Node {
  type: string;
  start: number;
  end: number;
  quasis?: Node[];
}

/** A compiled language with every text changed. */
function pseudoModule(code: string): string {
  const changes: { start: number; end: number; text: string }[] = [];
  const visit = (value: unknown, parent: string): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, parent));
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    // What is compared or handed on, such as a plural category, is no text.
    if (node.type === 'TemplateLiteral' && !/^(BinaryExpression|CallExpression|SwitchCase)$/.test(parent)) {
      const quasis = node.quasis!;
      const texts = pseudo(quasis.map(({ start, end }) => code.slice(start, end)));
      quasis.forEach(({ start, end }, index) => changes.push({ start, end, text: texts[index]! }));
    }
    for (const child of Object.values(node)) visit(child, node.type ?? parent);
  };
  visit(parseAst(code), '');
  expect(changes.length).toBeGreaterThan(100);
  return changes
    .sort((one, other) => other.start - one.start)
    .reduce((text, change) => text.slice(0, change.start) + change.text + text.slice(change.end), code);
}

/** Runs in the page. */
function inspect(): Faults {
  const outside = (text: string): string => {
    const less = text.replace(/\[[^[\]]*\]/g, '');
    return less === text ? text.trim() : outside(less);
  };
  const untranslated = new Set<string>();
  const clipped = new Set<string>();
  const boxes: { text: string; lines: DOMRect[]; group: Element }[] = [];
  let translated = 0;
  const note = (text: string | null) => {
    if (text?.includes('[')) translated += 1;
    const left = outside(text ?? '');
    if (/\p{L}/u.test(left)) untranslated.add(left);
  };
  note(document.title);
  // The clauses of the rules are no messages: each language has its own document, which this locale has not.
  const all = [...document.body.querySelectorAll('*')].filter((each) => !each.closest('script, style, article') && each.checkVisibility());
  for (const each of all) {
    // One message has all names of a list: the brackets are around the first and the last.
    if (each.closest('[data-from-list] label')) continue;
    for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'alt', 'placeholder'])
      note(each.getAttribute(name));
    for (const child of each.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE || !child.textContent?.trim()) continue;
      note(child.textContent);
      if (each.closest('.hidden-text, svg, option') || !child.textContent.includes('[')) continue;
      const range = document.createRange();
      range.selectNodeContents(child);
      const box = range.getBoundingClientRect();
      const { left, right, top, bottom } = box;
      const group = each.parentElement?.parentElement;
      if (group) boxes.push({ text: child.textContent.trim(), lines: [...range.getClientRects()], group });
      for (let around: Element | null = each; around && around !== document.body; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.textOverflow === 'ellipsis') break;
        const edge = around.getBoundingClientRect();
        // For screen readers only.
        if (edge.width <= 1) break;
        const across = /hidden|clip/.test(style.overflowX) && (left < edge.left - 2 || right > edge.right + 2);
        const along = /hidden|clip/.test(style.overflowY) && (top < edge.top - 2 || bottom > edge.bottom + 2);
        if (across || along) clipped.add(child.textContent.trim());
        // What can be scrolled to is not cut off.
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
      }
    }
  }
  const scrolls = (box: Element | null): boolean =>
    box !== null && box !== document.body && (/auto|scroll/.test(getComputedStyle(box).overflowX) || scrolls(box.parentElement));
  for (const each of all.filter((one) => one.matches('button, a, select') && !one.closest('.hidden-text') && !scrolls(one))) {
    const { left, right } = each.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) clipped.add(each.textContent.trim());
  }
  // Names beside each other, as under the tokens of a row.
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1).filter(({ group }) => group === one.group)) {
      // Line by line: a text may begin where another that takes two lines ends.
      const overlap = one.lines.some((a) =>
        other.lines.some((b) => {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          return across > 2 && along > 2;
        }),
      );
      if (overlap) clipped.add(`${one.text} over ${other.text}`);
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  return { untranslated: [...untranslated], translated, clipped: [...clipped], wide: Math.max(0, scrollWidth - clientWidth) };
}
