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

/* Where a point of a plot lies in its drawing (see svg.py). */
function place(svg, ...point) {
  return JSON.parse(svg.dataset.frame).map((axis, index) => {
    const scale = (v) => (axis.log ? Math.log10(Math.max(v, 1e-300)) : v);
    const part = (scale(point[index]) - scale(axis.low)) / (scale(axis.high) - scale(axis.low));
    return +(axis.from + Math.min(1, Math.max(0, part)) * (axis.to - axis.from)).toFixed(1);
  });
}

function dots(group, places, name) {
  group.replaceChildren(...places.map(([x, y]) => {
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [key, value] of Object.entries({ class: name, cx: x, cy: y, r: 3.5 })) {
      dot.setAttribute(key, value);
    }
    return dot;
  }));
}
