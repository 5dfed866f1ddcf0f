"""A bound as a user writes it: an arithmetic expression that is parsed and never run as code.

>>> bound = parse("1.9*eta/(kappa - eta)", ("eta", "kappa"))
>>> bound.exact({"eta": Fraction(1, 24), "kappa": Fraction(1, 12)})
Fraction(19, 10)
>>> parse("(eta/kappa)**(1/2)", ("eta", "kappa")).exact({"eta": Fraction(1), "kappa": Fraction(2)})
[0.707106781186547524400844362105 +/- 1.59e-31]

Numbers are read as written (1.9 is 19/10).  Evaluation is exact on Fractions; a power with a
fractional exponent gives an Arb ball.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb

from theorems.errors import UserError

LONGEST, DEEPEST, LARGEST_POWER = 300, 40, 64
GREEK = {"η": "eta", "κ": "kappa", "ε": "m", "epsilon": "m"}
OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
Number: TypeAlias = Any
"""A Fraction or an Arb ball (which has no type stubs)."""


@dataclass(frozen=True)
class Bound:
    """A parsed expression: its text, and its tree with numbers as Fractions."""

    text: str
    tree: Any

    def exact(self, values: Mapping[str, Fraction]) -> Number | None:
        """Its value at Fractions: a Fraction, or a ball; ``None`` where it has no real value."""
        try:
            found = _value(self.tree, values, _exact_operation, _exact_power)
        except ZeroDivisionError:
            return None
        if isinstance(found, arb):
            return found if found.is_finite() else None
        return found

    def floats(self, values: Mapping[str, Any]) -> Any:
        """Its value at floats, arrays or tensors: for searching, never for judging."""

        def power(base: Any, exponent: Any) -> Any:
            return base**exponent

        return _value(self.tree, values, lambda kind, a, b: OPERATIONS[kind](a, b), power, float)

    def __str__(self) -> str:
        return self.text


def parse(text: str, names: Sequence[str]) -> Bound:
    """The expression ``text`` in the ``names``.

    Raises ``UserError`` for anything but numbers, + - * / **, parentheses and these names.
    """
    allowed = ", ".join(names)

    def refuse(what: str) -> UserError:
        return UserError(
            f"bound {text[:60]!r}: {what}; write numbers, + - * / **, parentheses and {allowed}"
        )

    if len(text) > LONGEST:
        raise refuse(f"it is longer than {LONGEST} characters")
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise refuse("it is not an arithmetic expression") from None

    def read(node: ast.AST, depth: int) -> Any:
        if depth > DEEPEST:
            raise refuse("it is nested too deeply")
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                written = ast.get_source_segment(text.strip(), node) or ""
                try:
                    number = Fraction(written.replace("_", ""))
                except ValueError:
                    raise refuse(f"{written!r} is not a decimal number") from None
                if len(written) > 40 or (number and not 1e-40 < abs(number) < 1e40):
                    raise refuse(f"the number {written[:20]!r} is out of range")
                return number
            case ast.Name(id=name):
                if GREEK.get(name, name) not in names:
                    raise refuse(f"there is no {name!r} here")
                return GREEK.get(name, name)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return (ast.Sub, Fraction(0), read(inner, depth + 1))
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return read(inner, depth + 1)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return (ast.Pow, read(left, depth + 1), read(right, depth + 1))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
                return (type(op), read(left, depth + 1), read(right, depth + 1))
            case ast.BinOp(op=ast.BitXor()):
                raise refuse("a power is written **")
        raise refuse("it has a part that is not arithmetic")

    return Bound(text.strip(), read(body, 0))


def _value(
    tree: Any,
    values: Mapping[str, Any],
    operate: Callable[[Any, Any, Any], Any],
    power: Callable[[Any, Any], Any],
    number: Callable[[Fraction], Any] = Fraction,
) -> Any:
    if isinstance(tree, Fraction):
        return number(tree)
    if isinstance(tree, str):
        return values[tree]
    kind, left, right = tree
    a = _value(left, values, operate, power, number)
    b = _value(right, values, operate, power, number)
    return power(a, b) if kind is ast.Pow else operate(kind, a, b)


def _exact_operation(kind: type[ast.operator], a: Number, b: Number) -> Number:
    if isinstance(a, arb) or isinstance(b, arb):
        return OPERATIONS[kind](ball(a), ball(b))
    return OPERATIONS[kind](a, b)


def _exact_power(base: Number, exponent: Number) -> Number:
    if isinstance(exponent, Fraction) and isinstance(base, Fraction):
        if abs(exponent) > LARGEST_POWER:
            raise UserError(f"a bound has the power {float(exponent):g}: at most {LARGEST_POWER}")
        if exponent.denominator == 1:
            return base ** int(exponent)
        if base == 0 and exponent > 0:
            return Fraction(0)
        if base <= 0:
            raise ZeroDivisionError
    return ball(base) ** ball(exponent)


def ball(x: Number) -> arb:
    """A ball that contains ``x``."""
    return x if isinstance(x, arb) else arb(x.numerator) / x.denominator
