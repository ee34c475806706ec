import type { StudyEnd, StudyName, StudyPage, StudyResult } from '../wire.gen';

/** What an embedded page tells the page around it when the study has ended. */
export interface EndMessage {
  type: 'unspoken-study';
  study: StudyName;
  end: StudyEnd;
  code: string | null;
  results: StudyResult[];
}

/** The part of a window that is used, so that tests can hand in another. */
export interface EmbeddedWindow {
  parent: { postMessage(message: unknown, origin: string): void };
  /** The origins of the pages around, the nearest first, where the browser tells them. */
  location: { ancestorOrigins?: ArrayLike<string> };
}

/** Whether this page is shown within another. */
export function isEmbedded(win: EmbeddedWindow = window): boolean {
  return win.parent !== (win as unknown);
}

/** The message about the end; `null` before it. */
export function endMessage({ study, step }: StudyPage): EndMessage | null {
  if (!('ended' in step)) return null;
  const { end, code, results } = step.ended;
  return { type: 'unspoken-study', study, end, code, results };
}

/** Tells the page around of the end. The browser delivers it only if that page is of an origin that the study names. */
export function tellParent(page: StudyPage, win: EmbeddedWindow = window): void {
  const message = endMessage(page);
  if (!message || !isEmbedded(win)) return;
  // A browser that tells who embeds the page is not asked in vain, which it would report as an error.
  const around = win.location.ancestorOrigins?.[0];
  const origins = around === undefined ? page.embedders : page.embedders.filter((origin) => origin === around);
  for (const origin of origins) win.parent.postMessage(message, origin);
}
