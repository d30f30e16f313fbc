// Shares the link of a result: by the device's own dialog where it has one, else by copying the link.
const button = document.getElementById("share");
const field = document.getElementById("link");
const say = (words) => { document.getElementById("copied").textContent = words; };

async function copy() {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say("The link is copied.");
  } catch {
    say("Your browser does not let us copy the link. It is selected: copy it yourself.");
  }
}

async function share() {
  try {
    await navigator.share({ title: field.dataset.title, url: field.value });
  } catch (error) {
    if (error.name !== "AbortError") await copy(); // else the reader has changed their mind
  }
}

button.textContent = navigator.share ? "Share" : "Copy the link";
button.addEventListener("click", () => (navigator.share ? share() : copy()));
button.hidden = false;
