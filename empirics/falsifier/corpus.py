"""Claims with a known answer: false neighbours that must fall, true ones that must stand.

A false variant is a theorem with a constant too small, a hypothesis dropped, rows or a range of
errors widened, or another class of models.  A true one is a theorem itself, or weaker: a looser
constant, fewer models, fewer rows.  Why each is true or false is known from ``theorems``; no search
has been consulted, and nothing in the engines knows this list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from empirics.falsifier.claim import BILINEAR, SIMPLEX, FalsifiableClaim, named
from empirics.falsifier.fixed import FIXED, FixedClaim

TWO = ((Fraction(-1),), (Fraction(1),))
SHARP, LINEAR, BEFORE, SLOPE, AFTER = (
    named("one_layer_sink" + end)
    for end in ("", ".linear", ".softmax_before", ".softmax_slope", ".softmax_after")
)
DEEP, PRICE, ANCHOR, UNDIVIDED = (
    named(name) for name in ("deep_sink", "sink_price", "anchor_needed", "mechanisms.undivided")
)


@dataclass(frozen=True)
class Variant:
    """A claim, whether it is true, and what kind of neighbour it is."""

    kind: str
    claim: FalsifiableClaim | FixedClaim
    true: bool

    @property
    def name(self) -> str:
        return self.claim.name


def times(claim: FalsifiableClaim, factor: str) -> FalsifiableClaim:
    """The claim with its bound times ``factor``."""
    name = f"{claim.name}, bound × {factor}"
    return replace(claim.changed(bound=f"({factor})*({claim.bound})"), name=name)


def called(claim: FalsifiableClaim, what: str) -> FalsifiableClaim:
    return replace(claim, name=f"{claim.name}, {what}")


def without(claim: FalsifiableClaim, *hypotheses: str) -> FalsifiableClaim:
    """The claim with hypotheses dropped."""
    for hypothesis in hypotheses:
        claim = claim.drop(hypothesis)
    return called(claim, "without " + ", ".join(hypotheses))


DEEP_THREE = called(DEEP.changed(layers=3), "D = 3")
BILINEAR_AFTER = called(AFTER.changed(mechanism=BILINEAR), "bilinear")
SHARP_TWO = called(SHARP.changed(contents=TWO, lengths=(4,)), "contents ±1")


def false_variants() -> Iterator[Variant]:
    """Claims that are false."""
    attained = (SHARP, LINEAR, BEFORE, SLOPE, AFTER, BILINEAR_AFTER)
    for claim in attained:
        for factor in ("1/2", "0.7", "0.95"):
            yield Variant("constant too small", times(claim, factor), False)
    for claim in (DEEP, DEEP_THREE):
        for factor in ("1/2", "0.7"):
            inside = f"({factor}*eta/(kappa - eta))**(1/D)"
            found = called(claim.changed(bound=inside), f"η × {factor}")
            yield Variant("constant too small", found, False)
    for claim in (PRICE, ANCHOR, UNDIVIDED):
        for factor in ("2", "1.3", "1.05"):
            yield Variant("constant too small", times(claim, factor), False)
    for name in ("bos_row", "position_free", "single_head", "no_residual", "no_mlp"):
        yield Variant("hypothesis dropped", without(SHARP, name), False)
    yield Variant("hypothesis dropped", without(SHARP, "rows_sum_to_one"), False)
    yield Variant("hypothesis dropped", without(DEEP, "no_residual"), False)
    yield Variant("hypothesis dropped", without(AFTER, "single_head"), False)
    yield Variant("hypothesis dropped", without(AFTER, "rows_sum_to_one"), False)
    for factor in ("12", "100"):
        at_three = SHARP.changed(bound=f"{factor}*eta").drop("length_4")
        yield Variant("L = 3", called(at_three, f"L = 3, m ≤ {factor}η"), False)
    yield Variant("rows widened", called(BEFORE.changed(rows="all"), "at all rows"), False)
    yield Variant("rows widened", called(SLOPE.changed(rows="after"), "after"), False)
    for claim in (AFTER, BEFORE, SLOPE):
        wider = called(claim.changed(mechanism=SIMPLEX), "any simplex rows")
        yield Variant("models widened", wider, False)
    no_root = DEEP.changed(bound="eta/(kappa - eta)")
    yield Variant("exponent", called(no_root, "without the exponent"), False)
    cube = DEEP.changed(bound="(eta/(kappa - eta))**(2/3)")
    yield Variant("exponent", called(cube, "exponent 2/3"), False)
    square = SHARP.changed(bound="100*eta**2/(kappa - eta)")
    yield Variant("exponent", called(square, "quadratic"), False)
    for mechanism in ("relu", "linear", "sigmoid", "off_by_one"):
        for claim, what in ((SHARP, ""), (SHARP_TWO, ", contents ±1")):
            other = replace(claim.changed(mechanism=mechanism), name=f"a sink in {mechanism}{what}")
            yield Variant("mechanism", other, False)
    heads = without(SHARP_TWO.changed(mechanism=BILINEAR), "single_head")
    yield Variant("hypothesis dropped", heads, False)
    for name, fixed in FIXED.items():
        if name.startswith("relu_no_sink."):
            yield Variant("wrong network or target", fixed, False)


def true_variants() -> Iterator[Variant]:
    """Claims that are true."""
    for claim in (SHARP, LINEAR, BEFORE, SLOPE, AFTER, DEEP, PRICE, ANCHOR, UNDIVIDED):
        yield Variant("theorem", claim, True)
    yield Variant("theorem", DEEP_THREE, True)
    for name in ("relu_no_sink", "mechanisms.linear"):
        yield Variant("theorem", FIXED[name], True)
    for claim, factor in ((SHARP, "1.02"), (AFTER, "1.1"), (BEFORE, "1.05"), (DEEP, "1.1")):
        yield Variant("looser constant", times(claim, factor), True)
    for claim, factor in ((PRICE, "0.95"), (ANCHOR, "0.98"), (UNDIVIDED, "0.97")):
        yield Variant("looser constant", times(claim, factor), True)
    yield Variant("looser constant", called(BEFORE.changed(bound="3*eta"), "m ≤ 3η"), True)
    yield Variant("fewer models", SHARP_TWO, True)
    yield Variant("fewer models", called(SHARP.changed(mechanism=BILINEAR), "bilinear"), True)
    two = AFTER.changed(mechanism=BILINEAR, contents=TWO, lengths=(4, 5))
    yield Variant("fewer models", called(two, "bilinear, contents ±1"), True)
    one = called(SHARP.changed(residual=True), "one residual layer")
    yield Variant("equivalent", one, True)
    yield Variant("fewer rows", called(SHARP.changed(rows="before"), "before"), True)
    yield Variant("fewer models", called(DEEP.changed(mechanism=BILINEAR), "bilinear"), True)


def variants() -> list[Variant]:
    """The whole corpus, false ones first."""
    return [*false_variants(), *true_variants()]
