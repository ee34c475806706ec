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

/** Vite asks for a style sheet once: one that did not come would be missing from the part for good. */
function fetchStylesAgain() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode());
  }
}

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
