"""A row of a kernel table: which Coq theorem proves what, and in which words it is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from theorems.kernel_gate import ALLOWED, REALS


@dataclass(frozen=True)
class Theorem:
    """The Coq statement ``coq``, the registry statement that it proves, and what it says.

    ``settles`` is true where the two say the same; other theorems speak for a statement (its bound
    is attained, its setting is not empty) without proving it.  ``witness`` is the one of
    ``kernel_witnesses`` that meets the theorem's hypotheses, empty where it has none.
    ``classic`` is true where the proof may use the excluded middle.
    """

    coq: str
    claim: str
    statement: str
    says: str
    witness: str = ""
    settles: bool = False
    classic: bool = False

    @property
    def allowed(self) -> frozenset[str]:
        """The axioms that the theorem may rest on."""
        return ALLOWED if self.classic else REALS


@dataclass(frozen=True)
class Template:
    """The registry's statement as Coq text, with ``{0}``, ``{1}`` … for its hypotheses (by position
    in the registry) and ``{conclusion}``; the pin's proof; and the Coq terms of its symbols, those
    in ``assumed`` for the hypotheses alone.  ``setting`` begins the SHA-256 of the registry's words
    for which the Coq words were written."""

    text: str
    proof: str
    setting: str
    terms: Mapping[str, str] = field(default_factory=dict)
    assumed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """The theorems of one part of the proofs, by Coq names, with all that the gate asks of them.

    ``templates`` go by theorem; their proofs may use ``lemmas``.  ``witnesses`` are propositions,
    proved as examples of the same names in the file ``witness_file``.
    """

    theorems: tuple[Theorem, ...] = ()
    templates: Mapping[str, Template] = field(default_factory=dict)
    lemmas: str = ""
    witnesses: Mapping[str, str] = field(default_factory=dict)
    witness_file: str = ""
