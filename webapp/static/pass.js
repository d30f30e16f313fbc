// Names the chosen cards on the button of a pass, says aloud how many they are, and takes away what was said about others.
// The form may come later than the page, so it is looked for when something is chosen.
const text = (input, part) => input.nextElementSibling.querySelector(part).textContent;

function tell() {
  const form = document.querySelector(".counting");
  if (!form) return;
  const button = form.querySelector("[data-chosen]");
  const count = form.querySelector("[data-of]");
  const chosen = [...form.querySelectorAll("[name=card]:checked")];
  const written = (input) => button.dataset.card.replace("{rank}", text(input, ".rank")).replace("{suit}", text(input, ".pip"));
  const names = chosen.map(written);
  const wanted = Number(count.dataset.of);
  button.dataset.plain ??= button.textContent;
  button.textContent = chosen.length === wanted ? button.dataset.chosen.replace("{cards}", names.join(" ")) : button.dataset.plain;
  count.className = "";
  count.textContent = count.dataset.counted.replace("{number}", chosen.length);
}

addEventListener("change", ({ target }) => {
  if (target.name === "card") document.querySelector("main .alarm")?.remove(); // about a choice that is another one now
  tell();
});
addEventListener("pageshow", tell); // what was chosen before going back is chosen again
