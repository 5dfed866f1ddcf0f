"""Search for an input on which the task is not what its definition says."""

from __future__ import annotations

from functools import partial

from empirics.search.engine import Panel, Verdict, search
from empirics.search.report import outcome
from empirics.search.task_properties import FAULTS, PROPERTIES, Input, task_inputs
from theorems.evidence import Outcome, Run, evidence

ALL = "every property of the task"


def judge(x: Input) -> Panel:
    """All properties of the task's own targets; each wrong definition by the property for it."""
    broken = [name for name, f in PROPERTIES.items() if not f(x, x.task.targets)]
    panel = {ALL: Verdict(True, not broken, None, {"broken": broken})}
    for name, (fault, catcher) in FAULTS.items():
        targets = partial(fault, x.task)
        panel[name] = Verdict(True, PROPERTIES[catcher](x, targets), planted=True)
    return panel


@evidence("trigger_task", kind="searched")
def no_input_off_the_definition(run: Run) -> Outcome:
    """No input breaks a property of the task; wrong means, divisors and positions are found."""
    records = search(task_inputs(), judge, tries=run.scale(150, 400, 4000), start=run.seed)
    return outcome(records, ALL, tuple(FAULTS))
