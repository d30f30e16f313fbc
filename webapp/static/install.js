// Lets the browser show a page of ours when there is no connection, and has it close the notifications of turns that are
// over, whenever the page is looked at or has changed. Everything else works without.
const worker = navigator.serviceWorker;

async function settle() {
  if (!document.hidden) (await worker.ready).active.postMessage("settle");
}

worker?.register("/service-worker.js").then(() => {
  settle();
  addEventListener("fresh", settle); // of live.js
  document.addEventListener("visibilitychange", settle);
}).catch(() => {}); // a browser may forbid it
