// Makes the frame of a mail as high as the mail. Without scripts the frame scrolls.
const frame = document.querySelector("iframe");

function fit() {
  frame.style.height = 0;
  frame.style.height = `${frame.contentDocument.documentElement.scrollHeight + 2}px`; // and its border
}

frame.addEventListener("load", fit);
addEventListener("resize", fit);
if (frame.contentDocument.readyState === "complete") fit();
