"""A claim as data, to be changed and attacked: which models, which rows, and which bound.

The weakest reading is taken, so that a counterexample refutes every other: with several heads or
layers the claim is that *some* head of *some* layer rests on BOS, and m is the smallest mass off
BOS over heads and layers at one position of one input.

>>> claim = named("one_layer_sink").changed(bound="1.9*eta")
>>> claim.bound_at(4, eta=Fraction(1, 100))
Fraction(19, 1000)
>>> named("one_layer_sink").drop("single_head").heads
2
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from empirics.falsifier.bound import Bound, Number, parse
from theorems.attention import Mechanism
from theorems.errors import UserError

SIMPLEX, SOFTMAX, BILINEAR = "simplex", "softmax", "bilinear"
MECHANISMS = {
    SIMPLEX: "any simplex rows, any token-wise values",
    SOFTMAX: "the trigger's row is softmax of logits that depend on the token pair, others simplex",
    BILINEAR: "every row is softmax of x_iᵀ A x_k",
    "off_by_one": "softmax-off-by-one of x_iᵀ A x_k",
    "relu": "ReLU(x_iᵀ A x_k) / max(1, i−1)",
    "sigmoid": "σ(x_iᵀ A x_k) / max(1, i−1)",
    "linear": "x_iᵀ A x_k / max(1, i−1)",
    "undivided": "any scores that depend on the token pair, never divided",
}
"""The classes of models that can be searched, by the name of their rows."""
HYPOTHESES = {
    "bos_row": "the BOS row counts in the error",
    "position_free": "values do not depend on positions",
    "length_4": "L ≥ 4",
    "single_head": "one head in each layer",
    "no_residual": "no residual stream",
    "no_mlp": "no MLP after the head",
    "rows_sum_to_one": "rows sum to one",
}
"""The hypotheses that can be dropped, by name."""
ROWS = ("all", "before", "after", "two")
MASS, FLOOR = "mass", "floor"
NAMES = {MASS: ("eta", "kappa", "L", "D"), FLOOR: ("m", "kappa", "L", "D")}
LARGEST = {"length": 32, "layers": 8, "heads": 8, "contents": 4}
"""Sizes that the searches are made for."""


@dataclass(frozen=True)
class FalsifiableClaim:
    """Every model of the class with error η ≤ ``eta_max`` has m ≤ ``bound`` at every ``rows``.

    ``kind`` "floor" turns it around: η ≥ ``bound``, in m.  ``lengths`` are tried in turn;
    ``contents`` is the content set (one content is a claim about all content sets, since the task
    with more is harder); ``dropped`` holds the hypotheses that are not assumed; without ``anchor``
    the task has no BOS.  ``own`` is a mechanism of one's own, over ``bilinear`` logits.  ``spread``
    bounds the logits: no two weights of a query differ by more than this factor.
    """

    name: str
    bound: Bound
    kind: str = MASS
    mechanism: str = SIMPLEX
    layers: int = 1
    heads: int = 1
    residual: bool = False
    lengths: tuple[int, ...] = (4, 5, 6)
    contents: tuple[tuple[Fraction, ...], ...] = ((),)
    rows: str = "all"
    eta_max: tuple[Bound, ...] = ()
    dropped: frozenset[str] = frozenset()
    anchor: bool = True
    own: Mechanism | None = None
    spread: Fraction | None = None

    def __post_init__(self) -> None:
        if self.mechanism not in MECHANISMS:
            raise UserError(f"unknown mechanism {self.mechanism!r}: {', '.join(MECHANISMS)}")
        if self.rows not in ROWS:
            raise UserError(f"unknown rows {self.rows!r}: {', '.join(ROWS)}")
        for name in self.dropped:
            _known(name)
        shortest = 3 if "length_4" in self.dropped else 4
        if not self.lengths or min(self.lengths) < shortest:
            advice = "" if shortest == 3 else "; --drop length_4 allows 3"
            raise UserError(f"length {min(self.lengths, default=0)}: use L >= {shortest}{advice}")
        sizes = {
            "length": max(self.lengths),
            "layers": self.layers,
            "heads": self.heads,
            "contents": len(self.contents),
        }
        for name, size in sizes.items():
            if not 1 <= size <= LARGEST[name]:
                raise UserError(f"{name} {size}: use 1 to {LARGEST[name]}")
        if len({len(c) for c in self.contents}) != 1:
            raise UserError("contents differ in width: give each the same number of coordinates")
        if (self.layers, self.heads, self.residual) != (1, 1, False) and not self.anchor:
            raise UserError("without BOS only one layer of one head without residual is searched")
        if self.spread is not None:
            one_content = self.mechanism == BILINEAR and self.contents == ((),)
            if self.spread <= 1 or not one_content or (self.layers, self.own) != (1, None):
                raise UserError(
                    "a bound on the spread of weights needs a factor above 1 and one bilinear "
                    "layer with one content"
                )
        for L in self.lengths:
            self._finite_somewhere(L)

    def constants(self, L: int) -> dict[str, Fraction]:
        """κ_L, L and D."""
        length = Fraction(L)
        return {"L": length, "D": Fraction(self.layers), "kappa": (length - 3) / (4 * (length - 1))}

    def bound_at(self, L: int, **values: Fraction) -> Number | None:
        """The bound at exact ``eta`` (or ``m``); ``None`` where it has no value or is negative.

        A formula that turns negative has left the range in which it says something.
        """
        found = self.bound.exact({**self.constants(L), **values})
        return None if found is None or bool(found < 0) else found

    def limit(self, L: int) -> Fraction | None:
        """The largest η of which the claim speaks; ``None`` if there is none."""
        limits = [b.exact(self.constants(L)) for b in self.eta_max]
        return min([x for x in limits if isinstance(x, Fraction)], default=None)

    def keeps(self, hypothesis: str) -> bool:
        return hypothesis not in self.dropped

    def drop(self, hypothesis: str) -> FalsifiableClaim:
        """The claim without one hypothesis; numbers that it fixed become the next ones."""
        _known(hypothesis)
        changes: dict[str, Any] = {"dropped": self.dropped | {hypothesis}}
        if hypothesis == "length_4":
            # κ₃ = 0: a range of errors that ends there would leave nothing to say.
            changes |= {"lengths": (3,), "eta_max": ()}
        if hypothesis == "single_head":
            changes["heads"] = max(2, self.heads)
        if hypothesis == "rows_sum_to_one":
            # Softmax rows sum to one by what they are: drop that and they are other rows.
            others = {SOFTMAX: SIMPLEX, BILINEAR: "relu"}
            changes["mechanism"] = others.get(self.mechanism, self.mechanism)
        if hypothesis == "no_residual":
            changes |= {"residual": True, "layers": max(2, self.layers)}
        return replace(self, **changes)

    def changed(self, bound: str | None = None, **changes: Any) -> FalsifiableClaim:
        """The claim with another ``bound`` (text), or other fields."""
        kind = changes.get("kind", self.kind)
        if bound is not None:
            changes["bound"] = parse(bound, NAMES[kind])
        return replace(self, **changes)

    def text(self) -> str:
        """The claim in words."""
        small = " and ".join(f"η ≤ {b}" for b in self.eta_max)
        shape = f"{self.layers} layer(s) × {self.heads} head(s)" + (
            ", residual" if self.residual else ""
        )
        says = f"m ≤ {self.bound}" if self.kind == MASS else f"η ≥ {self.bound}"
        without = f", without {', '.join(sorted(self.dropped))}" if self.dropped else ""
        lengths = ", ".join(map(str, self.lengths))
        return (
            f"{says} at {self.rows} rows{', ' + small if small else ''}: {shape}, "
            f"{MECHANISMS[self.mechanism] if self.own is None else self.own.name}; L = {lengths}, "
            f"{len(self.contents)} content(s){without}{'' if self.anchor else ', no BOS'}"
            f"{f', weights within a factor {self.spread}' if self.spread else ''}"
        )

    def _finite_somewhere(self, L: int) -> None:
        limit = self.limit(L)
        name = "eta" if self.kind == MASS else "m"
        top = limit if self.kind == MASS and limit is not None else Fraction(1)
        if all(self.bound_at(L, **{name: top * k / 16}) is None for k in range(17)):
            raise UserError(
                f"bound {self.bound} has no value at L = {L} that is finite and at least 0, for "
                f"any {name} from 0 to {float(top):g}: give another bound or length"
            )


def _known(hypothesis: str) -> None:
    if hypothesis not in HYPOTHESES:
        raise UserError(f"unknown hypothesis {hypothesis!r}: {', '.join(HYPOTHESES)}")


def _mass(name: str, bound: str, eta_max: tuple[str, ...] = ("kappa",), **more: Any) -> Any:
    limits = tuple(parse(b, ("kappa", "L", "D")) for b in eta_max)
    return FalsifiableClaim(name, parse(bound, NAMES[MASS]), eta_max=limits, **more)


def _floor(name: str, bound: str, **more: Any) -> Any:
    return FalsifiableClaim(name, parse(bound, NAMES[FLOOR]), kind=FLOOR, **more)


CLAIMS: dict[str, FalsifiableClaim] = {
    claim.name: claim
    for claim in (
        _mass("one_layer_sink", "eta/(kappa - eta)"),
        _mass("one_layer_sink.linear", "2*eta/kappa", ()),
        _mass(
            "one_layer_sink.softmax_before",
            "2*eta/(1 - 1/(2*(L-1)) - 2*eta/(L-3))",
            mechanism=SOFTMAX,
            rows="before",
        ),
        _mass(
            "one_layer_sink.softmax_slope",
            "2*eta/(1 - 18*eta/(L-4))",
            ("kappa", "(L-4)/18"),
            mechanism=SOFTMAX,
            rows="before",
            lengths=(5, 6),
        ),
        _mass("one_layer_sink.softmax_after", "4*eta", mechanism=SOFTMAX),
        _mass("deep_sink", "(eta/(kappa - eta))**(1/D)", layers=2, rows="two"),
        _floor("sink_price", "m*kappa/(1 + m)"),
        _floor("anchor_needed", "kappa", anchor=False),
        _floor(
            "mechanisms.undivided",
            "(1/2 + 1/(L-1) - 3/(2*(L-1)) - 1/3)/2",
            mechanism="undivided",
            lengths=(5, 6),
        ),
    )
}
"""The theorems as claims to attack, by the name of their statement."""


def named(name: str) -> FalsifiableClaim:
    """The claim ``name``.  Raises ``UserError`` naming what there is."""
    if name not in CLAIMS:
        raise UserError(f"{name!r} is not a claim that can be falsified: {', '.join(CLAIMS)}")
    return CLAIMS[name]
