/* Filters of the ledger: a claim is shown when it passes all that are set. */
const filters = document.getElementById("filters");
const value = (id) => document.getElementById(id).value;

function passes(claim) {
  const papers = Object.keys(claim.papers);
  const words = [claim.claim, claim.title, ...papers, ...Object.values(claim.papers),
    ...claim.statements.map((s) => `${s.name} ${s.title || ""}`)].join(" ").toLowerCase();
  const source = value("by-paper");
  return value("by-text").toLowerCase().split(/\s+/).every((word) => words.includes(word))
    && (!value("by-status") || claim.status === value("by-status"))
    && (!source || (source === "own" ? !papers.length : papers.some((p) => p.startsWith(source))))
    && (!value("by-kind") || claim.kinds.includes(value("by-kind")));
}

function filter() {
  const all = data.figures.ledger.claims;
  const shown = all.filter(passes);
  for (const claim of all) {
    document.getElementById(`claim-${claim.claim}`).hidden = !shown.includes(claim);
  }
  document.getElementById("shown").textContent = `${shown.length} of ${all.length} claims`;
}
filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filter();
