// A card moves from its player to the trick, and a finished trick to its winner, also if the page has not shown it.
// The page is fresh before, and can be used at once: what moves lies over its table until the page is touched, or a key
// is pressed, since its reader is at the present trick then.
// With reduced motion nothing moves; each trick is shown all the same.
// What happened since the reader's last card goes by in the same way, when they open the page or go on to another hand.
const FLIES = 250; // milliseconds a card takes
const APART = 180; // from one card to the next
const LIES = 900; // that a finished trick lies on the table
const MOST = 4; // finished tricks that go by at this pace; more of them go by faster, in the same time

const still = matchMedia("(prefers-reduced-motion: reduce)");
let since = Date.now(); // when the table became as it is
let missed; // what was shown when the reader looked away
let moves = Promise.resolve(); // one after the other
let touched = 0; // when the reader last touched the page: all that was to move by then is left out
let skip; // ends what moves now
let speed = 1; // how much faster than usual
let isSeries = false; // whether several finished tricks go by
let cover; // a finished trick over the table

// What is on the table: the hand, the number of its trick, and of the cards laid to it.
function shown() {
  const felt = document.getElementById("trick");
  const past = document.getElementById("past");
  if (felt) return { since, hand: Number(felt.dataset.hand), trick: Number(felt.dataset.trick), laid: laid(felt).length };
  return past && { since, hand: Number(past.dataset.hand), trick: past.children.length ? Infinity : 0, laid: 0 };
}

// The cards of the trick of a felt, or of what lies over it, or is to.
function laid(felt) {
  return [...(ring(felt)?.querySelectorAll(".card:not(.card-empty)") ?? [])];
}

function ring(felt) {
  return [...felt.children].find((child) => child.matches(".ring"));
}

function begin(before) {
  if (cover) table()?.append(cover); // of which the page has a fresh one
  if (!before) return;
  if (document.hidden) {
    missed ??= before;
    return;
  }
  const past = document.getElementById("past");
  if (past && Number(past.dataset.hand) !== before.hand) before = lastChoice(past) ?? before;
  const unseen = past ? finishedSince(before, past) : [];
  const felt = document.getElementById("trick");
  const known = Date.now();
  const isWanted = () => known > touched;
  moves = moves.then(() => move(before, unseen, felt, isWanted)).catch(() => {});
}

function finishedSince(before, past) {
  const hand = Number(past.dataset.hand);
  return [...past.children].map((one) => ({ hand, trick: Number(one.dataset.trick), content: one.content }))
    .filter(({ trick }) => hand === before.hand && trick >= before.trick);
}

// What lay on the table once its reader had last chosen a card in the hand; undefined if no trick was finished since.
function lastChoice({ dataset: { hand, since: trick, laid: cards } }) {
  return trick && { since: Date.now(), hand: Number(hand), trick: Number(trick), laid: Number(cards) };
}

async function move(before, unseen, felt, isWanted) {
  const skipped = new Promise((done) => { skip = done; });
  const already = ({ hand, trick }) => (hand === before.hand && trick === before.trick ? before.laid : 0);
  const lies = felt && { hand: Number(felt.dataset.hand), trick: Number(felt.dataset.trick) };
  const isOnTable = (one) => lies && one.hand === lies.hand && one.trick === lies.trick;
  speed = Math.max(1, unseen.length / MOST);
  isSeries = unseen.length > 1;
  for (const one of unseen) {
    if (!isWanted() || (isOnTable(one) && felt.isConnected)) break;
    const hold = already(one) === laid(one.content).length ? before.since + LIES - Date.now() : LIES / (unseen.length > 2 ? 2 : 1) / speed;
    await Promise.race([skipped, showFinished(one.content, already(one), hold, !isOnTable(one))]);
    cover?.remove();
    cover = undefined;
  }
  speed = 1;
  if (isWanted() && felt?.isConnected) await fly(felt, already(lies));
}

// Over the table of the page, on which something else lies by now; `from` of its cards have been shown.
async function showFinished(content, from, hold, goes) {
  if (table()?.contains(document.activeElement)) return;
  cover = coverOf(content);
  table()?.append(cover);
  await fly(cover, from);
  cover?.classList.add("complete");
  await new Promise((done) => { setTimeout(done, hold); });
  if (goes && cover) await gather(cover);
}

function table() {
  return document.querySelector(".view > .felt");
}

function coverOf(content) {
  const made = document.createElement("div");
  made.className = `felt felt-tall moving${isSeries ? " series" : ""}`;
  made.setAttribute("aria-hidden", "true");
  made.append(content.cloneNode(true));
  return made;
}

function end() {
  touched = Date.now();
  skip?.();
}

// Moving

function fly(felt, from) {
  return Promise.all(laid(felt).slice(from).map((card, number) => {
    const [x, y] = outwards(card);
    return animate(card, [{ transform: `translate(${x}px, ${y}px)`, opacity: 0 }, {}], number * APART);
  }));
}

function gather(felt) {
  const winner = ring(felt).querySelector(".wins .card");
  if (!winner) return animate(felt, [{}, { opacity: 0 }]);
  const [x, y] = centre(winner);
  const [outX, outY] = outwards(winner);
  return Promise.all(laid(felt).map((card) => {
    const [fromX, fromY] = centre(card);
    const transform = `translate(${x - fromX + outX}px, ${y - fromY + outY}px) scale(.6)`;
    return animate(card, [{}, { transform, opacity: 0 }]);
  }));
}

async function animate(element, frames, delay = 0) {
  if (still.matches) return;
  await element.animate(frames, { duration: FLIES / speed, delay: delay / speed, fill: "both", easing: "ease-out" }).finished;
}

// From the middle of the table to a player, as far again.
function outwards(card) {
  const [x, y] = centre(card);
  const [midX, midY] = centre(card.closest(".ring"));
  return [(x - midX) * 0.9, (y - midY) * 0.9];
}

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

// live.js says it before the page changes; what is fresh is in it after.
addEventListener("fresh", () => {
  const before = shown();
  since = Date.now();
  queueMicrotask(() => begin(before));
});

for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, end, { capture: true });

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !missed) return;
  const before = missed;
  missed = undefined;
  begin(before);
});

// A page that is opened, and not just reloaded, shows what has happened since its reader's last choice.
const past = document.getElementById("past");
const [opened] = performance.getEntriesByType("navigation");
if (past && opened?.type === "navigate") begin(lastChoice(past));
