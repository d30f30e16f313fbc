// Offers to tell this device when it is the reader's turn, where its browser can, and marks it where it is told already.
const form = document.querySelector("form[data-key]");
const section = form.closest("section");
const complain = (words) => { form.querySelector("[role=alert]").textContent = words; };

const tag = (words) => Object.assign(document.createElement("span"), { className: "tag tag-good", textContent: words });

async function markOf(endpoint) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function offer() {
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  const line = known && section.querySelector(`[data-mark="${await markOf(known.endpoint)}"]`);
  if (line) line.querySelector("strong").after(" ", tag(form.dataset.this));
  else section.hidden = form.hidden = false;
}

async function subscribe() {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: form.dataset.key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await pushManager.getSubscription()).unsubscribe(); // it was for another key of ours
    return pushManager.subscribe(options);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  complain("");
  if (await Notification.requestPermission() !== "granted") {
    complain(form.dataset.refused);
    return;
  }
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    Object.entries({ endpoint, ...keys }).forEach(([name, value]) => { form.elements[name].value = value; });
    form.submit();
  } catch {
    complain(form.dataset.unreachable);
  }
});

if ("PushManager" in window && "Notification" in window && navigator.serviceWorker) {
  offer();
} else if (navigator.standalone === false) { // Safari on a phone, not yet on the home screen
  section.hidden = section.querySelector("[data-home]").hidden = false;
}
