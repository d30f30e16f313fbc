// Shares the link of a result: by the device's own dialog where it has one, else by copying the link.
const button = document.getElementById("share");
const field = document.getElementById("link");
const copied = document.getElementById("copied");

async function copy() {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    copied.textContent = copied.dataset.done;
  } catch {
    copied.textContent = copied.dataset.refused;
  }
}

async function share() {
  try {
    await navigator.share({ title: field.dataset.title, url: field.value });
  } catch (error) {
    if (error.name !== "AbortError") await copy(); // else the reader has changed their mind
  }
}

button.textContent = navigator.share ? button.dataset.share : button.dataset.copy;
button.addEventListener("click", () => (navigator.share ? share() : copy()));
button.hidden = false;
