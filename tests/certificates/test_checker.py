"""The checker accepts what is true and rejects what is not, by its own arithmetic."""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from empirics.certificates import checker
from empirics.certificates.certificate import digest, produce
from empirics.certificates.check_command import verified
from empirics.certificates.checker.verdict import at_least, at_most
from empirics.certificates.command import certify_command
from empirics.certificates.forms import heads
from empirics.certificates.weights import read
from tests.certificates.model_files import matrices, save, to_author


def certificate(path: Path, attention: str = "softmax", length: int = 6, **more) -> dict:
    return certify_command(path, attention=attention, length=length, as_json=True, **more)


@pytest.fixture(params=["softmax", "relu"], scope="module")
def made(request, tmp_path_factory) -> tuple[dict, Path]:
    """A certificate, which tests change copies of only, and its model."""
    path = tmp_path_factory.mktemp("made") / "m.safetensors"
    save(path, matrices(2, request.param), {"layout": "ours"})
    with contextlib.redirect_stdout(io.StringIO()):
        return certificate(path, request.param), path


def test_what_is_established_is_told_rounded_outward():
    assert at_least(1 - Fraction(1, 10**8)) == "0.999999"
    assert at_most(Fraction(1, 3)) == "0.333334"
    assert at_most(Fraction(1, 4)) == "0.25"
    assert at_most(Fraction(0)) == "0"
    for k in range(1, 300):
        x = Fraction(k, 7**8)
        assert Fraction(at_least(x)) <= x <= Fraction(at_most(x))
        assert Fraction(at_most(x)) <= x * Fraction(100001, 100000)


def test_accepts_its_own_certificates(made):
    content, path = made
    assert "error ≤" in verified(json.loads(json.dumps(content)), path)


def test_the_order_of_a_certificates_entries_does_not_matter(made):
    content, path = made
    assert verified(json.loads(json.dumps(content, sort_keys=True)), path)


def test_accepts_a_state_dict_in_the_authors_layout(tmp_path: Path, capsys):
    path = save(tmp_path / "m.pt", {f"{k}.weight": v for k, v in to_author(matrices(3)).items()})
    content = certificate(path)
    assert content["settings"]["layout"] == "author"
    assert verified(content, path)
    forged = copy.deepcopy(content)
    forged["settings"]["layout"] = "ours"
    assert rejected(resealed(forged), path)


def resealed(content: dict) -> dict:
    """With a digest that fits again: only the arithmetic can tell."""
    body = {k: v for k, v in content.items() if k != "digest"}
    return {**body, "digest": digest(body)}


def rejected(content: object, path: Path) -> str:
    with pytest.raises(checker.Rejected) as problem:
        verified(content, path)
    assert "\n" not in str(problem.value)
    return str(problem.value)


def leaves(value: object, path: tuple = ()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from leaves(v, (*path, k))
    elif isinstance(value, list):
        for k, v in enumerate(value):
            yield from leaves(v, (*path, k))
    else:
        yield path


def put(content: dict, path: tuple, value: object) -> dict:
    changed = copy.deepcopy(content)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


def get(content: dict, path: tuple):
    for key in path:
        content = content[key]
    return content


def test_any_change_is_noticed(made):
    content, path = made
    for where in leaves({k: v for k, v in content.items() if k != "digest"}):
        changed = put(content, where, "7/3")
        assert rejected(changed, path).endswith("its digest differs") or where == ("format",)


def test_every_bound_lowered_by_a_ten_thousandth_is_rejected_by_arithmetic(made):
    content, path = made
    bounds = [
        w
        for w in leaves(content["figures"], ("figures",))
        if w[1].endswith("_at_most") and Fraction(get(content, w)) > 0
    ]
    assert len(bounds) >= 2
    for where in bounds:
        bound = Fraction(get(content, where))
        lower = put(content, where, str(bound * Fraction(9999, 10000)))
        assert rejected(resealed(lower), path), where
        if where[1] == "error_at_most":
            higher = resealed(put(content, where, str(bound * Fraction(10001, 10000))))
            assert verified(higher, path)  # weaker, and true


def test_negative_logits_lowered_are_rejected(made):
    content, path = made
    for where in leaves(
        content["figures"].get("logits_at_most", {}), ("figures", "logits_at_most")
    ):
        bound = Fraction(get(content, where)) - Fraction(1, 10**4)
        assert "logits" in rejected(resealed(put(content, where, str(bound))), path)


def test_witnesses_are_run(made):
    content, path = made
    for kind in ("mass", "error"):
        where = ("figures", "witness", kind, "at_least")
        more = str(Fraction(get(content, where)) + Fraction(1, 10**4))
        assert kind in rejected(resealed(put(content, where, more)), path)
        outside = put(content, ("figures", "witness", kind, "contents", 0, 0), "3/2")
        assert "valid input" in rejected(resealed(outside), path)


def test_verdict_of_theorem_1_is_recomputed(made):
    content, path = made
    if "theorem_1_holds" in content["figures"]:
        turned = put(
            content, ("figures", "theorem_1_holds"), not content["figures"]["theorem_1_holds"]
        )
        assert "Theorem 1" in rejected(resealed(turned), path)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("settings", "length"), 7),
        (("settings", "length"), 3),
        (("settings", "attention"), "linear"),
        (("settings", "contents"), "[-1,1]^3"),
        (("settings", "heads"), 2),
        (("settings", "residual"), True),
        (("figures", "mass_at_most", "after"), {}),
        (("figures", "mass_at_most"), None),
        (("figures", "error_at_most", "trigger"), "nan"),
        (("figures", "witness", "error", "position"), 99),
        (("format",), "sinkproof-certificate-0"),
    ],
)
def test_resealed_nonsense_is_rejected(made, where, value):
    content, path = made
    assert rejected(resealed(put(content, where, value)), path)


def test_other_weights_are_rejected(made, tmp_path: Path):
    content, _ = made
    tensors = matrices(2, content["settings"]["attention"])
    tensors["W_V"][0, 0] = torch.nextafter(tensors["W_V"][0, 0], torch.tensor(9.0))
    other = save(tmp_path / "other.safetensors", tensors)
    assert "other weights" in rejected(content, other)
    forged = put(content, ("settings", "weights_sha256"), read(other).sha256)
    big = matrices(2, content["settings"]["attention"], shift=3.0)
    big["W_V"] *= 1.5
    bad = save(tmp_path / "bad.safetensors", big)
    forged = put(content, ("settings", "weights_sha256"), read(bad).sha256)
    assert "does not establish" in rejected(resealed(forged), bad)


def test_files_that_are_no_certificate_or_model(made, tmp_path: Path):
    content, path = made
    for wrong in ([], None, 3, {}, {"format": 1}, {**content, "figures": None}):
        assert rejected(wrong, path)
    (tmp_path / "text").write_text("x" * 100)
    assert rejected(content, tmp_path / "text")
    nan = matrices(2)
    nan["W_Q"] *= float("nan")
    assert "NaN" in rejected(content, save(tmp_path / "nan.safetensors", nan))


def test_the_checker_shares_no_code_with_the_producer():
    folder = Path(checker.__file__).parent
    allowed = ("flint", "fractions", "collections", "typing", "json", "math", "hashlib", "struct")
    allowed += ("pathlib", "torch", "__future__", "empirics.certificates.checker")
    for path in folder.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 150
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert all(n.startswith(allowed) for n in names), (path.name, names)


@pytest.mark.parametrize("attention", ["softmax", "relu"])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_small_and_large_contents_and_lengths(attention: str, n: int, tmp_path: Path):
    path = save(tmp_path / "m.safetensors", matrices(n, attention))
    file = read(path)
    settings = {"layout": "ours", "weights_sha256": file.sha256}
    for length in (4, 40):
        made = produce(
            heads(file.layers[0], "ours")[0], attention, length, subject="m", settings=settings
        )
        assert verified(made, path)
