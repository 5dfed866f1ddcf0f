"""A bound is parsed, never run; numbers are what was written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from empirics.falsifier.bound import parse
from empirics.falsifier.claim import CLAIMS, named
from empirics.falsifier.judge import Verdict, compare
from theorems import claims
from theorems.errors import UserError

NAMES = ("eta", "kappa", "L", "D")
AT = {"eta": Fraction(1, 24), "kappa": Fraction(1, 12), "L": Fraction(4), "D": Fraction(2)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.9*eta", Fraction(19, 240)),
        ("eta/(kappa - eta)", Fraction(1)),
        ("-eta + +1", Fraction(23, 24)),
        ("2*η/κ", Fraction(1)),
        ("eta**2", Fraction(1, 576)),
        ("eta**-1", Fraction(24)),
        ("(L - 3)/(4*(L - 1))", Fraction(1, 12)),
        ("1e-3", Fraction(1, 1000)),
        ("0.1 + 0.2", Fraction(3, 10)),
    ],
)
def test_exact_values(text: str, value: Fraction) -> None:
    bound = parse(text, NAMES)
    assert bound.exact(AT) == value
    assert bound.floats({k: float(v) for k, v in AT.items()}) == pytest.approx(float(value))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "eta.real",
        "lambda: eta",
        "[eta]",
        "eta if 1 else 0",
        "max(eta, 1)",
        "etta",
        "1j",
        "True",
        "eta^2",
        "",
        "eta +",
        "1e999",
        "'a'",
        "eta # comment\n+ 1 = 2",
        "(" * 60 + "eta" + ")" * 60 + "*1" * 200,
        "-" * 100 + "eta",
        "m",
        "eta // 2",
        "eta % 2",
        "eta < 1",
        "x := 1",
        "9" * 50,
    ],
)
def test_everything_else_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as refused:
        parse(text, NAMES)
    assert len(str(refused.value)) < 250


def test_a_fractional_power_is_a_ball() -> None:
    found = parse("(eta/kappa)**(1/D)", NAMES).exact(AT)
    assert isinstance(found, arb)
    assert found.contains(arb(2).sqrt() / 2)


def test_no_value_is_none_and_towers_are_refused() -> None:
    assert parse("eta/(kappa - 2*eta)", NAMES).exact(AT) is None
    assert parse("(-eta)**(1/2)", NAMES).exact(AT) is None
    assert parse("0**(0-1)", NAMES).exact(AT) is None
    with pytest.raises(UserError, match="at most 64"):
        parse("9**9**9", NAMES).exact(AT)


STATEMENTS = {s.name: s for c in claims.everything() for s in c.statements}


@pytest.mark.parametrize("name", [n for n in CLAIMS if n in STATEMENTS])
def test_claims_say_what_the_statements_say(name: str) -> None:
    """At grid points of (η, m): the claim's bound is violated iff the statement does not hold."""
    claim, statement = named(name), STATEMENTS[name]
    for L in claim.lengths:
        for k in range(1, 25):
            for n in range(1, 9):
                eta, m = claim.constants(L)["kappa"] * k / 20, Fraction(n, 8)
                verdict = compare(claim, L, eta, m).verdict
                values = {
                    "L": L,
                    "eta": eta,
                    "m": m,
                    "alpha": 1 - m,
                    "epsilon": m,
                    "D": claim.layers,
                    "r": 3,
                }
                used = {k: v for k, v in values.items() if k in statement.symbols}
                # Where a root equals m no ball can tell, and the statement holds with equality.
                refutes = verdict is Verdict.REFUTES
                assert refutes == (not statement.holds(**used)), (L, eta, m, verdict)
