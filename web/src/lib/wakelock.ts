let wanted = false;
let lock: WakeLockSentinel | null = null;

/** Keeps the screen on; call it inside a gesture. */
export function holdScreen(): void {
  wanted = true;
  void take();
}

export function releaseScreen(): void {
  wanted = false;
  void lock?.release();
  lock = null;
}

async function take(): Promise<void> {
  if (!wanted || lock || document.visibilityState !== 'visible') return;
  try {
    lock = (await navigator.wakeLock?.request('screen')) ?? null;
    lock?.addEventListener('release', () => (lock = null));
  } catch {
    // A phone that saves power says no; the game goes on.
  }
}

document.addEventListener('visibilitychange', () => void take());
