// Lets a page follow its game: asks every few seconds whether something has changed, and then shows what differs.
// Its turns are posted without leaving the page. Without all this the page works by its links and buttons.
const SLOW = 15000; // milliseconds between two looks where nothing happens, or nobody can see it
const QUIET = 600000; // after so long without a change nothing happens
const BEAT = 15000; // how often we are told that the page is open, and for how long its reader has done nothing
const SETTLED = 1000; // after a change of the page by itself, the browser may still scroll or move the focus
const LIVE = 600; // seconds: a turn that takes no longer has a bar that empties
const PATIENCE = 30000; // milliseconds in which an answer must come

const words = document.getElementById("live").dataset; // what it says, in the reader's language
const main = document.querySelector("main");
const spoken = said("spoken");
const lost = said("lost");
let version = follow()?.dataset.version; // of what the page shows
const spelled = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "second", unitDisplay: "long" });
let changed = Date.now();
let touched = Date.now(); // when its reader last did something
let beaten = 0; // when we were last told that the page is open; 0 where we must be told at once
let isHere = false; // whether we were told, and believe it until we hear that they have left
let looks = 0; // only the last one counts
let failures = 0;
let unsent; // what its reader did while there was no connection
let longest = 1; // seconds that were left when this page was first seen
let due; // the deadline, on this browser's clock
let waiting; // for the next look
let flashing;
let going; // to the step after a result
let audio;
let originals = sections(document); // as they came, without what the reader has opened or typed since

function follow() {
  return document.getElementById("follow");
}

function said(name) {
  const line = document.createElement("p");
  line.className = name;
  line.setAttribute("role", "status");
  document.body.append(line);
  return line;
}

function say(line, text) {
  if (line.textContent !== text) line.textContent = text;
}

// The address of a page has a new signature each time: that is no difference.
function sections(page) {
  const found = new Map();
  for (const section of page.querySelectorAll("main [data-live]")) {
    found.set(section.id, section.outerHTML.replace(/\/[\w-]+\.[\w-]+\.[\w-]+/g, ""));
  }
  return found;
}

// Looking

async function look() {
  clearTimeout(waiting);
  const mine = ++looks;
  try {
    if (unsent) await post(unsent);
    const news = await ask();
    const fresh = news.version === version ? undefined : await fetched(address(follow().dataset));
    if (mine !== looks) return; // they have acted meanwhile, and been shown more
    due = news.left === null ? undefined : Date.now() + news.left * 1000;
    if (fresh) take(fresh.page);
    if (due !== undefined && follow()) follow().dataset.due = due; // for tap.js
    failures = 0;
  } catch {
    if (mine !== looks) return;
    failures += 1;
    beaten = 0;
  }
  say(lost, unsent ? words.unsent : failures < 3 ? "" : words.lost);
  if (follow()) waiting = setTimeout(look, pause());
}

// The page to fetch: of hands side by side, about the one that its reader has chosen.
function address({ page, shows = "" }) {
  return page + shows;
}

async function ask() {
  const { page, player, said } = follow().dataset;
  const beats = player !== undefined && !document.hidden && Date.now() - beaten >= BEAT;
  if (beats) {
    beaten = Date.now();
    isHere = true;
  }
  const idle = Math.max(0, Math.floor((Date.now() - touched) / 1000));
  const body = new URLSearchParams({ idle });
  if (said && touched >= changed) body.set("read", said); // by somebody in front of the page
  const response = await (beats ? fetch(`${page}/here`, { method: "POST", body }) : fetch(`${page}/now`));
  if ([403, 404, 410].includes(response.status)) location.replace(page); // it says why
  if (!response.ok) throw new Error();
  return response.json();
}

async function fetched(address, options) {
  const response = await fetch(address, options);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (response.status >= 500 || !page.querySelector("main")) throw new Error();
  return { page, response };
}

function pause() {
  const every = Number(follow().dataset.every);
  if (failures) return Math.min(every * 2 ** failures, 2 * SLOW);
  return document.hidden || Date.now() - changed > QUIET ? SLOW : every;
}

// Showing

// As a whole where it is another kind of page, or the reader's own doing; else piece by piece.
function take(page, whole = false) {
  dispatchEvent(new Event("fresh"));
  const before = follow().dataset.kind;
  const next = page.getElementById("follow")?.dataset;
  const hadFocus = whole || main.contains(document.activeElement);
  readdress(page);
  const hand = shownHand();
  const kept = sections(page);
  if (whole || next?.kind !== before) replace(page);
  else update(page, kept);
  if (shownHand() === hand) main.querySelector("#happened[data-tricks]")?.setAttribute("hidden", ""); // they have seen it
  originals = kept;
  version = next?.version;
  longest = 1;
  changed = Date.now();
  document.title = page.title;
  if (next?.kind === before && !whole) return dress();
  clearInterval(flashing);
  if (next && location.pathname + location.search !== address(next)) history.replaceState(null, "", address(next));
  dress();
  if (hadFocus && !main.contains(document.activeElement)) heading()?.focus({ preventScroll: true });
  if (next?.asked) itIsMyTurn(next.asked, whole);
  else if (next?.says) say(spoken, next.says);
}

function shownHand() {
  return document.getElementById("past")?.dataset.hand;
}

// What is new begins there.
function heading() {
  return main.querySelector("h1[tabindex]");
}

// Only what differs, and nothing that is being filled in.
function update(page, kept) {
  const opened = openDetails();
  const focused = document.activeElement?.id;
  follow().replaceWith(page.getElementById("follow"));
  document.getElementById("past")?.remove();
  main.append(page.getElementById("past") ?? "");
  for (const id of originals.keys()) if (!kept.has(id)) document.getElementById(id)?.remove();
  let before = follow();
  for (const [id, html] of kept) {
    let section = document.getElementById(id);
    if (html !== originals.get(id) && !isFilledIn(section)) {
      const fresh = page.getElementById(id);
      if (section) section.replaceWith(fresh);
      else before.after(fresh);
      section = fresh;
      if (id === "talk-heard") say(spoken, fresh.textContent.trim());
    }
    before = section;
  }
  reopen(opened);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function isFilledIn(section) {
  const fields = [...(section?.querySelectorAll("input") ?? [])];
  return fields.some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}

// What is typed stays, and is said from where its reader is now.
function readdress(page) {
  const action = page.querySelector("[data-keep] form")?.getAttribute("action");
  for (const form of main.querySelectorAll("[data-keep] form")) form.setAttribute("action", action ?? form.action);
}

// A page of another kind, around what is being typed.
function replace(page) {
  const opened = openDetails();
  const typing = main.querySelector("[data-keep]");
  replaceChildren(main, page.querySelector("main"), typing, typing && page.getElementById(typing.id));
  document.body.className = page.body.className;
  reopen(opened);
}

// The element that is typed in stays where it is, since it would lose the focus; so do those that it is in. Only where
// it lies deeper in one page than in the other is it moved, and gets the focus back.
function replaceChildren(place, fresh, typing, replaced) {
  if (!typing || !replaced) return place.replaceChildren(...fresh.childNodes);
  const kept = [...place.childNodes].find((node) => node.contains(typing));
  const instead = [...fresh.childNodes].find((node) => node.contains(replaced));
  if ((kept === typing) !== (instead === replaced)) {
    const focused = typing.contains(document.activeElement) ? document.activeElement : undefined;
    replaced.replaceWith(typing);
    place.replaceChildren(...fresh.childNodes);
    return focused?.focus({ preventScroll: true });
  }
  for (const node of [...place.childNodes]) if (node !== kept) node.remove();
  if (kept !== typing) replaceChildren(kept, instead, typing, replaced);
  const nodes = [...fresh.childNodes];
  kept.before(...nodes.slice(0, nodes.indexOf(instead)));
  kept.after(...nodes.slice(nodes.indexOf(instead) + 1));
}

function openDetails() {
  return [...main.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
}

function reopen(opened) {
  for (const summary of main.querySelectorAll("summary")) {
    if (opened.includes(summary.textContent)) summary.parentElement.open = true;
  }
}

// Their turn

function itIsMyTurn(sentence, atOnce) {
  say(spoken, sentence);
  if (atOnce) return; // they have just played, and look
  if (sounds()) chime();
  flash();
}

// The title says it until they look at the page again.
function flash() {
  clearInterval(flashing);
  const title = document.title;
  let times = 0;
  flashing = setInterval(() => {
    times += 1;
    const seen = times > 3 && !document.hidden && document.hasFocus();
    document.title = seen || document.title === words.turn ? title : words.turn;
    if (seen) clearInterval(flashing);
  }, 800);
}

function sounds() {
  return localStorage.getItem("sound") === "on";
}

function chime() {
  audio ??= new AudioContext();
  const gain = audio.createGain();
  const end = audio.currentTime + 0.5;
  gain.gain.setValueAtTime(0.2, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, end);
  const tone = new OscillatorNode(audio, { frequency: 660 });
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(end);
}

// At a live table, where nobody waits, the result of a hand stays for some seconds.
function goOnLater() {
  clearTimeout(going);
  const link = main.querySelector("a[data-after]");
  if (link) going = setTimeout(() => link.isConnected && goOn(link), Number(link.dataset.after));
}

// What only works with a script.
function dress() {
  const button = document.querySelector("#sound button");
  goOnLater();
  if (button) {
    button.parentElement.hidden = false;
    button.setAttribute("aria-pressed", sounds());
  }
  tick();
}

function tick() {
  const left = document.querySelector("#clock .left");
  if (!left || due === undefined) return;
  const seconds = Math.max(0, Math.round((due - Date.now()) / 1000));
  longest = Math.max(longest, seconds);
  document.querySelector(".act")?.style.setProperty("--left", longest < LIVE ? seconds / longest : 0);
  if (seconds < 120) say(left, words.left.replace("{span}", spelled.format(seconds)));
}

// What the reader does

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!follow() || !main.contains(form) || form.method !== "post") return;
  event.preventDefault();
  if (form.dataset.sent) return; // a double click
  form.dataset.sent = "yes";
  clearTimeout(waiting);
  looks += 1;
  const act = { action: form.action, body: new URLSearchParams(new FormData(form, event.submitter)) };
  if (form.closest("[data-keep], .phrases")) act.typedIn = form;
  if (form.matches(".taps")) act.tapped = press(form, event.submitter);
  try {
    unsent = undefined; // they have changed their mind
    await post(act);
  } catch {
    if (!act.typedIn) unsent = act; // a line that was typed is still there to be sent
    failures = 3;
  }
  delete form.dataset.sent;
  look();
});

// To the next step of the visit, without leaving the page.
async function goOn(link) {
  clearTimeout(waiting);
  looks += 1;
  try {
    take((await fetched(link.href)).page, true);
    scrollTo(0, 0);
  } catch {
    return location.assign(link.href); // the browser says why
  }
  look();
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("a.go-on");
  if (!link || !follow() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goOn(link);
});

// A card that has arrived twice is played once.
async function post(act) {
  const options = { method: "POST", body: act.body, signal: AbortSignal.timeout(PATIENCE) };
  const { page, response } = await fetched(act.action, options);
  if (unsent === act) unsent = undefined;
  const next = page.getElementById("follow");
  const isOfPlayer = follow()?.dataset.player;
  if (response.redirected && (!next || next.dataset.player !== isOfPlayer)) return location.assign(response.url); // it has other scripts
  const stays = act.typedIn || (act.tapped && response.ok);
  take(page, !stays);
  if (!stays) scrollTo(0, 0);
  else if (response.ok) act.typedIn?.reset();
}

// The card that is tapped for the reader's turn stands up at once, or lies down.
function press(form, tapped) {
  for (const card of form.querySelectorAll("button")) {
    card.setAttribute("aria-pressed", card === tapped && card.name === "ahead");
  }
  return true;
}

// Whether somebody is in front of the page: it may lie open, visible, for days.
function touch() {
  if (!document.hidden && Date.now() - changed > SETTLED) touched = Date.now();
}

for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "focus", "focusin"]) {
  addEventListener(type, touch, { passive: true });
}

addEventListener("online", () => {
  if (follow()) look();
});
addEventListener("beforeunload", (event) => {
  if (unsent) event.preventDefault();
});

addEventListener("click", (event) => {
  if (!event.target.closest("#sound button")) return;
  localStorage.setItem("sound", sounds() ? "off" : "on");
  dress();
  if (sounds()) chime(); // so that they know it
});

// A browser lets nothing sound before the page was touched.
addEventListener("pointerdown", () => {
  if (sounds()) audio ??= new AudioContext();
}, { once: true });

// Also after a look that failed: a browser breaks off those that are under way when a page is left.
function leave() {
  if (follow()?.dataset.player === undefined || !isHere) return;
  beaten = 0;
  isHere = false;
  navigator.sendBeacon(`${follow().dataset.page}/here`, new URLSearchParams({ here: "no" }));
}

addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leave();
  else touched = Date.now();
  if (follow()) look();
});

if (follow()) {
  dress();
  setInterval(tick, 1000);
  look();
}
