"""Reading weights: every format gives the same numbers, everything else one sentence."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from empirics.certificates import forms, weights
from empirics.certificates.checker import files
from tests.certificates.model_files import MATRICES, matrices, save, to_author
from theorems.errors import UserError


@pytest.mark.parametrize("suffix", ["safetensors", "pt"])
@pytest.mark.parametrize("form", ["{}", "{}.weight", "layers.0.{}.weight", "layers.0.{}"])
def test_formats_and_names_agree_and_the_checker_reads_the_same(tmp_path: Path, suffix, form):
    tensors = matrices()
    path = save(tmp_path / f"m.{suffix}", {form.format(k): v for k, v in tensors.items()})
    read = weights.read(path)
    plain = weights.read(save(tmp_path / "plain.safetensors", tensors))
    assert read.sha256 == plain.sha256 == files.fingerprint(files.weights(path))
    assert (tensors["W_K"].double().numpy() == read.layers[0].W_K).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_every_precision_is_read_exactly(tmp_path: Path, dtype):
    tensors = {k: v.to(dtype) for k, v in matrices().items()}
    path = save(tmp_path / "m.safetensors", tensors)
    widened = {k: v.to(torch.float64) for k, v in tensors.items()}
    other = save(tmp_path / "w.pt", widened)
    assert weights.read(path).sha256 == weights.read(other).sha256
    assert files.fingerprint(files.weights(path)) == weights.read(path).sha256


def test_products_are_exact_and_the_checker_finds_the_same(tmp_path: Path):
    tensors = {k: torch.randn(4, 4, dtype=torch.float64) for k in MATRICES}
    path = save(tmp_path / "m.safetensors", tensors)
    (head,) = forms.heads(weights.read(path).layers[0], "ours")
    q, k = ([[Fraction(float(x)) for x in row] for row in tensors[name]] for name in ("W_Q", "W_K"))
    assert head.A[1][2] == sum(q[r][1] * k[r][2] for r in range(4))
    layer = files.weights(path)[0]
    A, a = files.product(files.transposed(layer["W_Q"]), layer["W_K"])
    assert [[Fraction(x, a) for x in row] for row in A] == head.A


def test_layouts_are_the_same_head(tmp_path: Path):
    ours = weights.read(save(tmp_path / "o.safetensors", matrices(3)))
    author = weights.read(save(tmp_path / "a.safetensors", to_author(matrices(3))))
    assert forms.heads(ours.layers[0], "ours") == forms.heads(author.layers[0], "author")
    assert forms.heads(ours.layers[0], "ours") != forms.heads(ours.layers[0], "author")


def test_several_heads_add_up():
    layer = weights.Matrices(*(torch.randn(4, 3).double().numpy() for _ in range(3)), None)  # type: ignore[arg-type]
    layer = weights.Matrices(layer.W_Q, layer.W_K, layer.W_V, torch.randn(3, 4).double().numpy())
    one, two = forms.heads(layer, "ours"), forms.heads(layer, "ours", 2)
    for i in range(3):
        for j in range(3):
            assert one[0].A[i][j] == two[0].A[i][j] + two[1].A[i][j]
            assert one[0].M[i][j] == two[0].M[i][j] + two[1].M[i][j]


class Harm:
    def __reduce__(self):
        return print, ("a pickle ran",)


def bad_files(folder: Path) -> dict[str, Path]:
    """Files that are no weights, by what the sentence must say."""
    good, found = matrices(), {}
    nan = {**good, "W_V": good["W_V"] * float("nan")}
    infinite = {**good, "W_O": good["W_O"].double().clone()}
    infinite["W_O"][0, 0] = float("inf")
    cases = {
        "NaN or infinite": nan,
        "W_O holds NaN or infinite": infinite,
        "lacks the matrix W_K": {k: v for k, v in good.items() if k != "W_K"},
        "shapes": {**good, "W_V": good["W_V"][:, :-1].clone()},
        "1-dimensional": {**good, "W_Q": good["W_Q"][0].clone()},
        "torch.int64": {**good, "W_Q": good["W_Q"].long()},
        "not one of the matrices": {**good, "W_Q.bias": torch.zeros(5)},
        "twice": {**good, "W_Q.weight": good["W_Q"].clone()},
        "layers are": {f"layers.1.{k}": v for k, v in good.items()},
        "d ≥ 3": {k: torch.eye(2) for k in good},
    }
    for index, (says, tensors) in enumerate(cases.items()):
        found[says] = save(folder / f"{index}.safetensors", tensors)
    (folder / "pickle.pt").write_bytes(pickle.dumps(Harm()))
    torch.save({"W_Q": Harm()}, folder / "harm.pt")
    torch.save([torch.zeros(3)], folder / "list.pt")
    (folder / "text.safetensors").write_text("not weights")
    (folder / "cut.safetensors").write_bytes(found["shapes"].read_bytes()[:200])
    found |= {
        "neither a safetensors": folder / "pickle.pt",
        "neither a safetensors file nor": folder / "harm.pt",
        "not a state dict": folder / "list.pt",
        "is neither": folder / "text.safetensors",
        "neither": folder / "cut.safetensors",
        "cannot read": folder / "absent.safetensors",
    }
    return found


def test_what_is_not_weights_gets_one_sentence(tmp_path: Path, capsys):
    for says, path in bad_files(tmp_path).items():
        with pytest.raises(UserError) as problem:
            weights.read(path)
        assert says in str(problem.value), path
        assert "\n" not in str(problem.value)
    assert "a pickle ran" not in capsys.readouterr().out
