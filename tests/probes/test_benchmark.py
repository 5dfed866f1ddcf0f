"""The benchmark's parts on few tokens, and its verdict on made-up figures."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from theorems.sources import ROOT

FILE = ROOT / "benchmarks" / "probes.py"

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="not in a checkout")


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    found = importlib.util.spec_from_file_location("probes_benchmark", FILE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_every_way_runs(benchmark: ModuleType) -> None:
    seconds = benchmark.fastest(benchmark.WAYS, 64, 1)
    assert set(seconds) == set(benchmark.WAYS)
    assert min(seconds.values()) > 0
    assert benchmark.status("VmHWM") >= benchmark.status("VmRSS") > 0


@pytest.mark.parametrize(
    ("seconds", "memory", "long", "missed"),
    [
        (1.2, 1.05, 1900, ""),
        (1.3, 1.05, 1900, "1.30 × the seconds"),
        (1.2, 1.2, 1900, "1.20 × the memory"),
        (1.2, 1.05, 2100, "16384 tokens take 2100 MB"),
    ],
)
def test_a_missed_limit_fails(
    seconds: float,
    memory: float,
    long: float,
    missed: str,
    benchmark: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    took = dict.fromkeys(benchmark.WAYS, 1.0) | {"columns": seconds}
    monkeypatch.setattr(benchmark, "fastest", lambda *given: took)
    monkeypatch.setattr(
        benchmark,
        "peak",
        lambda way, N: (500.0, long) if N > 2048 else (memory if way == "columns" else 1.0, 1.0),
    )
    monkeypatch.setattr("sys.argv", ["probes.py"])
    assert benchmark.main() == bool(missed)
    assert missed in capsys.readouterr().err
