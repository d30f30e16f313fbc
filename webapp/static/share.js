// Shares the link of a result: by the device's own dialog where it has one, else by copying the link.
const button = document.getElementById("share");
const field = document.getElementById("link");
const words = document.getElementById("sharing").dataset;
const say = (text) => { document.getElementById("copied").textContent = text; };

async function copy() {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say(words.copied);
  } catch {
    say(words.selected);
  }
}

async function share() {
  try {
    await navigator.share({ title: field.dataset.title, url: field.value });
  } catch (error) {
    if (error.name !== "AbortError") await copy(); // else the reader has changed their mind
  }
}

button.textContent = navigator.share ? words.share : words.copy;
button.addEventListener("click", () => (navigator.share ? share() : copy()));
button.hidden = false;
