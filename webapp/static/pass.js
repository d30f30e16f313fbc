// Names the chosen cards on the button of a pass, and says aloud how many they are. Without it the style sheet counts.
const form = document.querySelector(".counting");
const button = form.querySelector("[data-to]");
const count = form.querySelector(".count");
const plain = button.textContent;

const text = (input, part) => input.nextElementSibling.querySelector(part).textContent;

function tell() {
  const chosen = [...form.querySelectorAll("[name=card]:checked")];
  const names = chosen.map((input) => text(input, ".rank") + text(input, ".pip"));
  const wanted = Number(count.dataset.of);
  button.textContent = chosen.length === wanted ? `Pass ${names.join(" ")} to ${button.dataset.to}` : plain;
  count.textContent = `${chosen.length} of ${wanted} chosen`;
}

count.className = "";
form.addEventListener("change", tell);
addEventListener("pageshow", tell); // what was chosen before going back is chosen again
