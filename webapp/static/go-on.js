// Sends the form at once: this browser has asked for the mail whose link it has opened (webapp/pages/limits.py).
document.querySelector("form[data-goes-on]").requestSubmit();
