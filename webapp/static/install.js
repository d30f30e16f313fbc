// Lets the browser show a page of ours when there is no connection. Everything else works without.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {}); // a browser may forbid it
