/**
 * Loads a part of the page once more, and says whether it has come. If it has not although the server answers, the
 * page is opened anew: its files have other names since the server was updated, or the browser remembers that they
 * did not come. Players keep their seats.
 */
export async function loadAgain(load: () => Promise<unknown>): Promise<boolean> {
  fetchStylesAgain();
  try {
    await load();
    return true;
  } catch {
    if (await serverAnswers()) location.reload();
    return false;
  }
}

/** The first wait before a part is asked for again, and the longest. */
const WAIT_MS = 1_000;
const WAIT_MS_MOST = 30_000;

/** A part that a table fetches in the background and cannot do without: it is asked for until it comes. */
export async function eventually<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let wait_ms = WAIT_MS; ; wait_ms = Math.min(2 * wait_ms, WAIT_MS_MOST)) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, wait_ms));
    }
  }
}

/** Vite asks for a style sheet once: one that did not come would be missing from the part for good. */
function fetchStylesAgain() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (isMissing(link)) link.replaceWith(link.cloneNode());
  }
}

/** Chromium gives an empty sheet to a link whose file did not come, and no access to its rules. */
function isMissing({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet === null || sheet.cssRules.length === 0;
  } catch {
    return true;
  }
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
