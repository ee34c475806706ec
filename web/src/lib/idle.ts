const IDLE_MS_MOST = 2_000;
/** Where a browser does not say when it is idle. */
const WAIT_MS = 300;

/** Runs `run` when the page has nothing better to do: what it fetches then delays nothing that a visitor waits for. */
export function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: IDLE_MS_MOST });
  else setTimeout(run, WAIT_MS);
}
