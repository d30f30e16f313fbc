// Works out from an opened secret which cards had to come (docs/fairness.md): on the page of a finished hand, and for
// the record of a game in a file. Web Crypto alone computes.
const RANKS = "23456789TJQKA";
const SUITS = "CDSH";
const REMOVED = { 3: "2D", 5: "2C 2D", 6: "2D 3D 3C 4C", 7: "2D 3D 3C" };
const HANDS = 256;
const words = document.getElementById("checking").dataset; // what it says, in the reader's language
const filled = (sentence, gaps) => sentence.replace(/\{(\w+)\}/g, (_, name) => gaps[name]);

const utf8 = (text) => new TextEncoder().encode(text);
const u32 = (number) => new Uint8Array([number >>> 24, number >>> 16, number >>> 8, number]);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(words.digits);
  return new Uint8Array(text.match(/../g).map((pair) => parseInt(pair, 16)));
};

function encoded(tag, fields) {
  const parts = [utf8(`hearts-by-mail/fair/1/${tag}`), ...fields].flatMap((field) => [u32(field.length), field]);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function needHttps() {
  if (!crypto.subtle) throw new Error(words.https);
}

const hashed = async (tag, ...fields) => new Uint8Array(await crypto.subtle.digest("SHA-256", encoded(tag, fields)));

async function keyed(key, tag, ...fields) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, encoded(tag, fields)));
}

async function* stream(key, tag) {
  for (let block = 0; ; block++) yield* await keyed(key, tag, u32(block));
}

async function below(bytes, bound) {
  for (;;) {
    const { value } = await bytes.next();
    if (value < 256 - (256 % bound)) return value % bound;
  }
}

function packOf(rules) {
  const preset = rules.preset ?? "classic";
  const players = rules.players ?? 4;
  const isTwo = (rules.packs ?? (preset === "cancellation" ? 2 : 1)) === 2;
  const hasKitty = (rules.kitty ?? (preset === "kitty" ? "on" : "off")) !== "off";
  const removed = isTwo || hasKitty ? [] : (REMOVED[players] ?? "").split(" ");
  const codes = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const pack = codes.filter((code) => !removed.includes(code)).flatMap((code) => (isTwo ? [code, code] : [code]));
  return { pack, each: hasKitty && players === 4 ? 12 : Math.floor(pack.length / players), players };
}

const place = (code) => SUITS.indexOf(code[1]) * RANKS.length + RANKS.indexOf(code[0]);
const inOrder = (codes) => [...codes].sort((one, other) => place(one) - place(other)).join(" ");
const tidied = (text) => inOrder(text ? text.split(" ") : []);

// The steps of a check, each with what it found. The first that is wrong ends it.
async function* steps(deal, seal, dealer) {
  needHttps();
  const { leaf, secret, path, parts, root } = deal.fair;
  const opened = bytesOf(secret);
  let node = await hashed("leaf", u32(leaf), opened);
  yield { text: filled(words.opened, { number: deal.hand, secret }), ok: leaf % HANDS === deal.hand - 1 };
  for (const [level, sister] of path.entries()) {
    node = await ((leaf >> level) & 1 ? hashed("node", bytesOf(sister), node) : hashed("node", node, bytesOf(sister)));
  }
  const isUnder = path.length === 12 && hex(node) === root && (!seal || seal === root);
  yield { text: filled(words.steps, { number: path.length, seal: hex(node) }), ok: isUnder };
  const list = await hashed("list", ...parts.map((part) => (part === null ? new Uint8Array(0) : bytesOf(part))));
  const given = parts.filter((part) => part !== null).length;
  yield { text: filled(words.given, { number: given, all: parts.length, list: hex(list) }), ok: given > 0 || null };
  const { pack, each, players } = packOf(deal.rules);
  const sealed = [bytesOf(root), u32(leaf), list, u32(players), u32(each), utf8(pack.join(" "))];
  const key = await keyed(opened, "deal", ...sealed);
  yield { text: filled(words.key, { key: hex(key) }), ok: true };
  const cards = [...pack];
  const bytes = stream(key, "shuffle");
  for (let left = cards.length; left > 1; left--) {
    const other = await below(bytes, left);
    [cards[left - 1], cards[other]] = [cards[other], cards[left - 1]];
  }
  for (let seat = 0; seat < players; seat++) {
    const right = inOrder(cards.slice(seat * each, (seat + 1) * each));
    yield { text: filled(words.got, { name: deal.names[seat], cards: right }), ok: right === tidied(deal.deal[seat]) };
  }
  const over = inOrder(cards.slice(players * each));
  if (over || deal.kitty) yield { text: filled(words.over, { cards: over }), ok: over === tidied(deal.kitty) };
  const first = deal.hand === 1 ? await below(stream(key, "dealer"), players) : dealer;
  if (first !== null) yield { text: filled(words.dealt, { name: deal.names[first] }), ok: deal.dealer === first };
}

function line(list, { text, ok }) {
  const item = document.createElement("li");
  item.textContent = `${{ true: "✓", false: "✗", null: "–" }[ok]} ${text}`;
  list.append(item);
}

async function check(deal, seal, dealer, list) {
  for await (const step of steps(deal, seal, dealer)) {
    line(list, step);
    if (step.ok === false) return false;
  }
  return true;
}

function begin(found) {
  const list = document.createElement("ol");
  list.className = "plain steps";
  const verdict = document.createElement("p");
  found.replaceChildren(verdict, list);
  return { list, say: (text) => (verdict.textContent = text) };
}

for (const section of document.querySelectorAll("[data-check]")) {
  section.hidden = false;
  section.querySelector("button").addEventListener("click", async () => {
    const { list, say } = begin(section.querySelector("[data-found]"));
    try {
      const answer = await fetch(`${location.pathname}/deal.json`);
      if (!answer.ok) throw new Error(words.lost);
      const isRight = await check(await answer.json(), "", null, list);
      say(isRight ? words.right : words.wrong);
    } catch (error) {
      say(error.message);
    }
  });
}

async function checkRecord(record, seal, list) {
  if (record.format !== "hearts-record" || !record.fair) throw new Error(words.none);
  let parts = record.fair.parts;
  let dealer = null;
  for (const [index, hand] of record.hands.entries()) {
    if (!hand.fair) throw new Error(filled(words.unproved, { number: index + 1 }));
    parts = hand.fair.parts ?? parts;
    const fair = { ...hand.fair, parts, root: record.fair.root };
    const deal = { ...hand, hand: index + 1, rules: record.rules, names: record.players, fair };
    if (!(await check(deal, seal, dealer, list))) return index + 1;
    dealer = (hand.dealer + 1) % record.players.length;
  }
  return 0;
}

for (const section of document.querySelectorAll("[data-check-file]")) {
  section.hidden = false;
  const [file, seal] = [section.querySelector("#record"), section.querySelector("#seal")];
  const run = async () => {
    if (!file.files.length) return;
    const { list, say } = begin(section.querySelector("[data-found]"));
    try {
      const record = JSON.parse(await file.files[0].text());
      const wrong = await checkRecord(record, seal.value.trim(), list);
      const right = seal.value ? words.all : words.compare;
      say(wrong ? filled(words.other, { number: wrong }) : right);
    } catch (error) {
      say(error instanceof SyntaxError ? words.none : error.message);
    }
  };
  file.addEventListener("change", run);
  seal.addEventListener("change", run);
}
