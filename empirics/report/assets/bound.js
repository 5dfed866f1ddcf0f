/* Bounds at the chosen L and η; every number is one of the object's.  Shares are cut off, not rounded:
   100 % is said only of a bound that is attained. */
const bound = data.figures.bound;
const plot = document.querySelector("#section-bound svg");
const control = (id) => Number(document.getElementById(id).value);
const say = (id, text) => { document.getElementById(id).textContent = text; };
const share = (text) => text.split("/").map(Number).reduce((a, b) => a / b);
const digits = (x) => (x === null ? "–" : Number(x.toPrecision(3)).toString());

function draw() {
  const length = bound.lengths[control("bound-L")];
  const chosen = bound.shares[control("bound-eta")];
  const kappa = bound.kappa[length];
  const rows = bound.rows.filter((row) => row.L === length);
  const here = rows.find((row) => row.share === chosen);
  say("bound-L-value", length);
  say("bound-eta-value", `${chosen === "1" ? "κ" : chosen.replace("1/", "κ/")} = ${digits(here.eta)}`);
  say("bound-caption", `L = ${length}, κ = ${digits(kappa)}, η = ${digits(here.eta)}`);
  bound.bounds.forEach(({ name }, index) => {
    const k = index + 1;
    const cell = here.cells[name];
    say(`allowed-${k}`, digits(cell.bound));
    say(`found-${k}`, digits(cell.best));
    say(`reached-${k}`, cell.reached === null ? "–" : `${Math.floor(1000 * cell.reached) / 10} %`);
    const points = (what) => rows.filter((row) => row.cells[name][what] !== null)
      .map((row) => place(plot, share(row.share), row.cells[name][what]));
    document.getElementById(`bound-${k}`).setAttribute("points", points("bound").join(" "));
    dots(document.getElementById(`best-${k}`), points("best"), `dot k${k}`);
  });
  const trained = bound.trained.filter((model) => model.L === length);
  const circles = document.getElementById("bound-trained");
  circles.style.display = trained.length ? "" : "none";
  const [[x, low], [, high]] = [place(plot, share(chosen), 0), place(plot, share(chosen), 1)];
  document.getElementById("bound-marker").setAttribute("points", `${x},${low} ${x},${high}`);
}
for (const id of ["bound-L", "bound-eta"]) document.getElementById(id).addEventListener("input", draw);
draw();
