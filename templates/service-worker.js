// Shows a page that says so if there is no connection; caches that page and its style and pictures, and nothing else.
// Never caches another page, because the URLs are keys to seats. Does not touch what a page sends (POST).
// Shows the notifications that it receives; a tap on one opens our page that it is about. Closes those of turns that
// were played elsewhere when a page of ours is looked at, and when the next one comes: a browser wants each message
// from us to show something, so that none can be sent to close one.
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
  await self.clients.claim(); // controls the first page of a visit, too
};

const show = ({ title, body, tag, url }) => self.registration.showNotification(title, {
  body, tag, renotify: true, icon: {{ icon|tojson }}, badge: {{ badge|tojson }}, data: { url },
});

// One about which we cannot be asked just now stays, as does the one that has just come.
const settle = async (newest) => {
  const shown = await self.registration.getNotifications();
  await Promise.all(shown.filter(({ tag }) => tag !== newest).map(async (notice) => {
    const url = new URL(notice.data.url, self.location.origin);
    if (url.origin !== self.location.origin) return;
    const answer = await fetch(`${url.pathname}/now`, { credentials: "omit" }).catch(() => undefined);
    if (answer?.ok && !(await answer.json()).waits) notice.close();
  }));
};

const lead = async (address) => {
  const url = new URL(address, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((open) => open.url === url.href);
  await (page ? page.focus() : clients.openWindow(url.href));
};

// The browser has replaced a subscription: proves that we know the old one and its secret, and registers the new one.
const renew = async ({ oldSubscription: before, newSubscription }) => {
  if (!before) return;
  const after = newSubscription ?? await self.registration.pushManager.subscribe(before.options);
  const { endpoint, keys } = after.toJSON();
  const body = { old_endpoint: before.endpoint, old_auth: before.toJSON().keys.auth, endpoint, ...keys };
  await fetch("/devices/renewed", { method: "POST", body: new URLSearchParams(body), credentials: "omit" });
};

self.addEventListener("push", (event) => {
  if (!event.data) return;
  const notice = event.data.json();
  event.waitUntil(show(notice).then(() => settle(notice.tag)));
});
self.addEventListener("message", (event) => event.waitUntil(settle()));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data.url));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event).catch(() => {})));
self.addEventListener("install", (event) => {
  // What is sent does not even pass us, where a browser can be told so: what a page says when it is left would be lost
  // with that page, and sooner than we could be asked.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(keep());
});
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
