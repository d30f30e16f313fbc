// While others play, a card can be chosen ahead. On the page of the turn it is the chosen one if it may be played then;
// where one tap plays a card, it is on its way like one that is tapped.
const main = document.querySelector("main");
let ahead; // the card's code

function dress() {
  const offered = [...main.querySelectorAll("[name=ahead]")];
  const chosen = offered.find((input) => input.value === ahead);
  if (offered.length && !chosen) ahead = undefined; // it was played
  for (const input of offered) {
    input.disabled = false;
    input.checked = input.defaultChecked = input === chosen; // also by default: live.js replaces nothing that was filled in
  }
  for (const hint of main.querySelectorAll("#ahead")) hint.hidden = false;
  if (ahead && main.querySelector("[name=card][type=radio]")) choose();
}

function choose() {
  const card = main.querySelector(`[name=card][value="${ahead}"]`);
  ahead = undefined;
  if (!card || main.querySelector("[name=card]:checked")) return;
  card.checked = true;
  card.dispatchEvent(new CustomEvent("ahead", { bubbles: true }));
}

addEventListener("change", ({ target }) => {
  if (target.name !== "ahead") return;
  ahead = target.checked ? target.value : undefined;
  dress();
});

new MutationObserver(dress).observe(main, { childList: true, subtree: true });
dress();
