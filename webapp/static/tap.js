// One tap plays a card: it is sent after three seconds, in time for the deadline, or when the page is left. Until then the
// button takes it back.
// The player chooses for all their devices; where they have not, a live table plays by one tap and a slow one asks for the
// button.
const DELAY = 3000; // milliseconds in which a tap can be taken back
const SPARE = 1500; // to the deadline, for the way to the server

let tapped = 0; // when a card was last touched: the keys choose a card, and never play it
let pending; // the form whose card is about to be sent
let timer;

function isOn() {
  return document.getElementById("follow")?.dataset.tap === "on";
}

function choose(tap) {
  const follow = document.getElementById("follow");
  follow.dataset.tap = tap;
  dress();
  return fetch(`${follow.dataset.page}/tap`, { method: "POST", body: new URLSearchParams({ tap }), redirect: "manual" });
}

function dress() {
  const button = document.querySelector("#tap button");
  if (!button) return;
  button.parentElement.hidden = false;
  button.setAttribute("aria-pressed", isOn());
}

function begin(form) {
  stop();
  pending = form;
  const delay = Math.max(0, Math.min(DELAY, timeLeft() - SPARE));
  form.style.setProperty("--undo", `${delay}ms`);
  form.classList.add("undoing");
  timer = setTimeout(send, delay);
}

function timeLeft() {
  const due = document.getElementById("follow")?.dataset.due;
  return due ? due - Date.now() : Infinity;
}

// The button says "Undo" while a card is about to be sent.
function stop() {
  clearTimeout(timer);
  pending?.classList.remove("undoing");
  pending = undefined;
}

function send() {
  const form = pending;
  stop();
  if (form?.isConnected) form.requestSubmit();
}

addEventListener("pointerdown", (event) => {
  if (event.target.closest?.("label.held")) tapped = Date.now();
});

addEventListener("change", (event) => {
  const { target } = event;
  const isTap = Date.now() - tapped < 1000;
  if (target.name === "card" && target.type === "radio" && isOn() && isTap) begin(target.form);
});

// Before live.js sees it: pressing the button now takes the card back.
addEventListener("submit", (event) => {
  if (!pending || event.target !== pending) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pending.querySelector("[name=card]:checked").checked = false;
  stop();
}, { capture: true });

addEventListener("pagehide", () => {
  if (pending?.isConnected) navigator.sendBeacon(pending.action, new URLSearchParams(new FormData(pending)));
  stop();
});

addEventListener("click", (event) => {
  if (!event.target.closest?.("#tap button")) return;
  choose(isOn() ? "off" : "on");
});

new MutationObserver(dress).observe(document.querySelector("main"), { childList: true });
dress();

// A device used to choose for itself: its choice becomes the player's, once.
const chosen = localStorage.getItem("tap");
if (chosen) choose(chosen).then(() => localStorage.removeItem("tap"), () => {});
