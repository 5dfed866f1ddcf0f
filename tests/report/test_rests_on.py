"""What a proof uses is read off the proof, and a missing link makes what rests on it incomplete."""

from __future__ import annotations

from typing import Any

from empirics.report.rests_on import closure, coq_mentions, kernel_uses, rests_on
from empirics.report.sections.graph import complete
from theorems.evidence import discover

COQ = """
(* Lemma in_a_comment : uses_nothing. *)
Lemma helper : True.
Proof. exact I. Qed.
Lemma sink : True.
Proof. apply helper. Qed.
Theorem first_proof : first.
Proof. eapply sink. Qed.
Theorem second_proof : second.
Proof. pose sink. apply helper. Qed.
Theorem third_proof : third.
Proof. apply second_proof. Qed.
Theorem alone_proof : alone.
Proof. apply helper. apply other. Qed.
Lemma other : True.
"""


def test_a_theorem_rests_on_the_lemma_that_stands_for_another() -> None:
    mentions = coq_mentions({"A": COQ})
    assert mentions["A.sink"] == {"A.helper"}
    assert closure("A.third_proof", mentions) == {"A.second_proof", "A.sink", "A.helper"}
    names = {name: name for name in ("first", "second", "third", "alone")}
    uses = kernel_uses(mentions, names, frozenset(names))
    assert uses["second"] == {"first"}
    assert uses["third"] == {"first", "second"}
    assert uses["alone"] == frozenset()
    # A theorem that only attains a bound stands for nothing.
    assert kernel_uses(mentions, names, frozenset({"second"}))["third"] == {"second"}


def test_a_word_means_what_its_file_imports() -> None:
    user = "Lemma mine : True.\nProof. apply sink. apply helper. Qed.\n"
    stranger = coq_mentions({"A": COQ, "B": f"Require Import Reals Sinkproof.C.\n{user}", "C": ""})
    assert stranger["B.mine"] == frozenset()
    reader = coq_mentions({"A": COQ, "B": f"From Sinkproof Require Import C A.\n{user}", "C": ""})
    assert reader["B.mine"] == {"A.sink", "A.helper"}
    own = coq_mentions({"A": COQ, "B": f"Require Import Sinkproof.A.\nLemma sink : 1.\n{user}"})
    assert own["B.mine"] == {"B.sink", "A.helper"}


def test_what_the_proofs_here_use() -> None:
    found = {item.id: rests_on(item) for item in discover() if item.settles}
    for kind, name in (("kernel", "deep_sink"), ("smt", "deep_sink_arithmetic")):
        assert found[f"deep_sink/{kind}/{name}"] == ["one_layer_sink"]
    assert found["one_layer_sink/kernel/one_layer_sink"] == []
    assert found["one_layer_sink/smt/one_layer_arithmetic"] == []
    assert found["mechanisms/smt/fixed_gate_is_covered"] == ["one_layer_sink"]
    assert "mechanisms.gate" in found["mechanisms/smt/shared_bound"]
    assert "sink_free_softmax.mlp" not in found["mechanisms/smt/shared_bound"]


def nodes(**proofs: list[tuple[str, list[str]]]) -> dict[str, dict[str, Any]]:
    """Statements by name, each with proofs of (status, rests on)."""
    return {
        name: {"proofs": [{"status": status, "rests_on": below} for status, below in given]}
        for name, given in proofs.items()
    }


def test_proved_with_all_it_rests_on() -> None:
    graph = nodes(
        base=[("passed", [])],
        unproved=[("not-run", [])],
        good=[("passed", ["base"])],
        bad=[("passed", ["base", "unproved"])],
        second_way=[("passed", ["unproved"]), ("passed", [])],
        circular=[("passed", ["other"])],
        other=[("passed", ["circular"])],
        dangling=[("passed", ["nowhere"])],
    )
    assert {name for name in graph if complete(name, graph)} == {"base", "good", "second_way"}
