// Lets the page be installed and opens it without a network. It never hands out an old page while
// the server can be reached: pages come from the network first, and only files whose names change
// with their content come from the cache.
/** The page, at the path below which this file lies. */
const SHELL = new URL('.', location.href).pathname;
const ASSETS = `${SHELL}assets/`;
/** Caches belong to the whole host, which may have more than one of these pages. */
const CACHE = SHELL === '/' ? 'unspoken' : `unspoken ${SHELL}`;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (url.pathname.startsWith(ASSETS)) event.respondWith(asset(request));
});

async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && (fresh.headers.get('content-type') ?? '').startsWith('text/html')) await keep(cache, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

/** A page that changed has other files: those of the old one are not needed any more. */
async function keep(cache, fresh) {
  const kept = await cache.match(SHELL);
  if (kept && (await kept.text()) !== (await fresh.clone().text())) {
    await Promise.all((await cache.keys()).map((request) => cache.delete(request)));
  }
  await cache.put(SHELL, fresh);
}

async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}
