// Makes words for the shuffle in a form that has none: 60 bits that nobody can foresee. The form works without it.
const field = document.querySelector("input[name=shuffle]");
const shown = document.querySelector("#shuffle-words");
if (field && !field.value) {
  const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // 32, none of which is easily taken for another
  const drawn = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => letters[byte % 32]).join("");
  field.value = drawn.match(/.{4}/g).join("-");
}
const show = () => (shown.textContent = field.value || "none");
if (field) {
  field.addEventListener("input", show);
  show();
}
