// Chooses the visitor's own time zone in a form that has none chosen yet. The form works without it.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const select of document.querySelectorAll("select[name=time_zone][data-guess]")) {
  if ([...select.options].some((option) => option.value === zone)) select.value = zone;
}
