"""The arithmetic of sinks without spikes: the MLP's threshold, the entries, the logit.

Notation: after i ≤ N tokens, of which n are the query's own and the other counts have squares that
add up to r, the attention output is a unit vector with v² = n²/(n²+r) on the query's token; k =
K₀/√(K₀²+1); the query's state has squared norm 4 + 2v, that of position 1 six.
"""

from __future__ import annotations

import sympy as sp

from theorems.cores.chain import Link, assumed, granted, outcome
from theorems.decoupling import SINKS_WITHOUT_SPIKES, E, alpha, h, i
from theorems.evidence import Outcome, Run, evidence
from theorems.logit_gap import LOGIT_GAP, m
from theorems.logit_gap import E as GAP_E
from theorems.smt import Core, Show, without

N, n = sp.symbols("N n", integer=True)
F, c, r, v, y, z = sp.symbols("F c r v y z", real=True)
NAMES = {
    "N": "the largest length",
    "n": "how often the query's token has occurred",
    "r": "sum of the squares of the other counts",
    "v": "what attention writes on the query's token",
    "h": "the largest entry",
    "c": "gd·K₀/√(K₀²+1)",
    "y": "‖h_i‖‖h_1‖",
    "z": "the logit on position 1",
    "i": "position of the query",
    "m": "number of keys",
    "E": "e^Δ",
    "F": "e^(the logit)",
    "alpha": "the mass on position 1",
}

THRESHOLD = Core(
    name="the MLP is silent after position 1",
    symbols=NAMES,
    hypotheses=(n >= 0, n <= N - 1, r >= 1, v >= 0, sp.Eq(v**2 * (n**2 + r), n**2)),
    conclusion=v**2 * ((N - 1) ** 2 + 1) <= (N - 1) ** 2,
    says="n²/(n²+r) ≤ (N−1)²/((N−1)²+1) when another token has occurred.",
    hints=(
        Show(n**2 <= (N - 1) ** 2, using=(n >= 0, n <= N - 1)),
        Show(v**2 * (n**2 + r) >= v**2 * (n**2 + 1), using=(r >= 1,)),
        Show(v**2 * (n**2 + 1) <= n**2),
        Show(v**2 <= (1 - v**2) * n**2),
        Show(v**2 <= 1, using=(v**2 * (n**2 + 1) <= n**2,)),
        Show(
            (1 - v**2) * n**2 <= (1 - v**2) * (N - 1) ** 2, using=(v**2 <= 1, n**2 <= (N - 1) ** 2)
        ),
    ),
    narrow=(sp.Eq(n, 0),),
)
LOGIT = Core(
    name="the logit is at least Δ",
    symbols=NAMES,
    hypotheses=(c > 0, v >= 0, v <= 1, y > 0, sp.Eq(y**2, 6 * (4 + 2 * v)), sp.Eq(z * y, c)),
    conclusion=6 * z >= c,
    says="z = c/(‖h_i‖‖h_1‖) and both norms are at most √6.",
    hints=(
        Show(y**2 <= 36),
        Show(y <= 6, using=(y**2 <= 36, y > 0)),
        Show(z > 0, using=(sp.Eq(z * y, c), c > 0, y > 0)),
        Show(z * y <= 6 * z, products=((z > 0, 6 - y >= 0),)),
    ),
    narrow=(sp.Eq(v, 1), sp.Eq(y, 6)),
)
QUIET = Core(
    name="a sink and no spike",
    symbols=NAMES,
    hypotheses=(
        *assumed(SINKS_WITHOUT_SPIKES),
        granted(LOGIT_GAP).xreplace({GAP_E: F, m: i}),
        E <= F,
        v <= 1,
        sp.Eq(h, 1 + v),
    ),
    conclusion=SINKS_WITHOUT_SPIKES.conclusion,
    says="The largest entry is 1 + v, and position 1 has the gap Δ or more over i − 1 keys.",
    hints=(
        Show(1 / (1 + (i - 1) / F) <= alpha),
        Show(1 / F <= 1 / E, using=(E > 0, E <= F)),
        Show((i - 1) / F <= (i - 1) / E, products=((i - 1 >= 0, 1 / F <= 1 / E),)),
        Show((i - 1) / F >= 0, using=(i >= 2, E > 0, E <= F)),
    ),
    narrow=(sp.Eq(i, 2),),
)
LINKS = (
    Link(
        THRESHOLD,
        (
            THRESHOLD.false(
                "another token has occurred",
                hypotheses=without(THRESHOLD, r >= 1),
                narrow=(sp.Eq(r, 0), sp.Eq(n, 1), sp.Eq(N, 2), sp.Eq(v, 1)),
            ),
        ),
    ),
    Link(
        LOGIT, (LOGIT.false("not c/5", conclusion=5 * z >= c, narrow=(sp.Eq(v, 1), sp.Eq(y, 6))),)
    ),
    Link(
        QUIET,
        (
            QUIET.false(
                "entries below 2",
                conclusion=h < 2,
                narrow=(sp.Eq(i, 2), sp.Eq(E, 1), sp.Eq(F, 1), sp.Eq(alpha, 1)),
            ),
        ),
    ),
)


@evidence("decoupling", kind="smt", settles=True, statement="decoupling.sinks_without_spikes")
def quiet_sink_arithmetic(run: Run) -> Outcome:
    """z3 proves threshold, logit and mass for every vocabulary, length, g and K₀."""
    return outcome(LINKS, run)
