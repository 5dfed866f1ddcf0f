/* A claim that is linked to is opened. */
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target && target.closest("details");
  if (details) {
    details.open = true;
    details.hidden = false;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", openTarget);
openTarget();
