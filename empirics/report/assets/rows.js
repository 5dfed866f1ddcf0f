/* One construction on one sequence; every number is one of the object's. */
const found = data.figures.rows;
const by = (id) => document.getElementById(id);
const number = (id) => Number(by(id).value);

function shape(name, attributes, title) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (title) made.append(Object.assign(shape("title", {}), { textContent: title }));
  return made;
}

function token(position, trigger) {
  return position === 1 ? "BOS" : position === trigger ? "trigger" : "ordinary";
}

function heat(rows, label, query) {
  const size = 184 / found.length;
  const svg = shape("svg", { viewBox: "0 0 200 200", role: "img", "aria-label": label });
  rows.forEach((row, i) => row.forEach((weight, k) => {
    const at = { x: 8 + k * size, y: 8 + i * size, width: size, height: size };
    svg.append(shape("rect", { class: "ground", ...at }));
    svg.append(shape("rect", { class: "heat", "fill-opacity": Math.min(1, Math.abs(weight)), ...at },
      `${i + 1} → ${k + 1}: ${weight}`));
  }));
  svg.append(shape("rect", { class: "row", x: 8, y: 8 + (query - 1) * size, width: query * size, height: size }));
  return svg;
}

function words(row, trigger) {
  const parts = row.map((weight, k) => [weight, `${weight} on ${token(k + 1, trigger)} ${k + 1}`])
    .filter(([weight]) => Math.abs(weight) >= 0.005);
  return parts.length ? parts.map(([, text]) => text).join(", ") : "no weight to speak of";
}

function draw() {
  const network = found.networks.find(({ name }) => name === by("rows-network").value);
  const [trigger, query] = [number("rows-trigger"), number("rows-query")];
  const run = network.runs[by("rows-contents").value][trigger];
  const rows = network.rows[trigger];
  by("rows-trigger-value").textContent = trigger;
  by("rows-query-value").textContent = query;
  by("rows-words").textContent = `Query ${query}, ${token(query, trigger)}: `
    + rows.map((head, h) => `${rows.length > 1 ? `${network.heads[h]}: ` : ""}${words(head[query - 1], trigger)}`).join("; ") + ".";
  by("rows-pictures").replaceChildren(...rows.map((head, h) => {
    const figure = document.createElement("figure");
    figure.append(heat(head, `${network.name}, ${network.heads[h]}, trigger at ${trigger}`, query));
    figure.append(Object.assign(document.createElement("figcaption"), { textContent: network.heads[h] }));
    return figure;
  }));
  by("rows-caption").textContent = `What ${network.name} writes; largest error ${run.error}`;
  by("rows-table").replaceChildren(...run.outputs.map((output, i) => {
    const line = document.createElement("tr");
    if (i + 1 === query) line.setAttribute("aria-current", "true");
    const cells = [i + 1, token(i + 1, trigger), ...output, run.targets[i].join(", ")];
    line.append(...cells.map((text, c) => Object.assign(document.createElement("td"),
      { textContent: text, className: c < 2 ? "" : "number" })));
    return line;
  }));
}

let playing = null;
function step() {
  by("rows-query").value = (number("rows-query") % found.length) + 1;
  draw();
}
function stop() {
  clearInterval(playing);
  playing = null;
  by("rows-play").textContent = "Step through the queries";
}
by("rows-play").addEventListener("click", () => {
  if (playing) return stop();
  playing = setInterval(step, 1200);
  by("rows-play").textContent = "Stop";
  step();
});
for (const id of ["rows-network", "rows-contents", "rows-trigger", "rows-query"]) {
  by(id).addEventListener("input", () => { stop(); draw(); });
}
draw();
