"""The checks on spikes and sinks can fail: every planted fault is caught, and only the fault."""

from __future__ import annotations

import pytest

from tests.negatives.planted_faults import Fault
from tests.negatives.spike_faults import FAULTS


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name)
def test_the_check_passes_without_the_fault(fault: Fault) -> None:
    assert fault.look(False) == fault.sound


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name)
def test_the_fault_is_caught(fault: Fault) -> None:
    assert fault.look(True) == fault.caught
    assert fault.caught != fault.sound


def test_there_are_enough_of_them() -> None:
    assert len({f.name for f in FAULTS}) == len(FAULTS) >= 20
