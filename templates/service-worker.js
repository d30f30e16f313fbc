// Where there is no connection, shows a page that says so; keeps that page and the files of its looks, and nothing else.
// No other page is ever kept: their addresses are keys to seats. What is sent (POST) goes by untouched.
const KEPT = {{ kept|tojson }};
const OFFLINE = KEPT[0];
const SHELF = {{ ("kept-" ~ version)|tojson }};

const keep = async () => {
  const shelf = await caches.open(SHELF);
  await shelf.addAll(KEPT.map((address) => new Request(address, { credentials: "omit", cache: "reload" })));
  await self.skipWaiting();
};

const tidy = async () => {
  const shelves = await caches.keys();
  await Promise.all(shelves.filter((name) => name !== SHELF).map((name) => caches.delete(name)));
  await self.clients.claim(); // the first page of a visit, too, is looked after
};

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (KEPT.includes(pathname + search)) {
    event.respondWith(caches.match(pathname + search).then((kept) => kept ?? fetch(request)));
  }
});
