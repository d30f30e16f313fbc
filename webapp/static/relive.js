// The arrow keys step through a hand. The page works without: its links do the same.
addEventListener("keydown", (event) => {
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, .wide")) return;
  document.querySelector(`.ways a[rel=${way}]`)?.click();
});
