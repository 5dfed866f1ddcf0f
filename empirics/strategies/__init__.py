"""Hypothesis strategies for the trigger-conditional task and for models of it, in exact rationals.

Use them to test a statement of your own.  Here, that an error below 1/36 forces α ≥ 1/2 at L = 4:

>>> from fractions import Fraction
>>> from hypothesis import given, settings
>>> from constructions.enumeration import measure
>>> from theorems.trigger_task import TriggerTask
>>> @settings(max_examples=50, deadline=None, database=None, derandomize=True)
... @given(attention_models(TriggerTask(4, 1), max_inputs=20))
... def small_error_means_a_sink(model):
...     found = measure(model.task, model.rows, model.value, model.content_set)
...     assert found.error >= Fraction(1, 36) or found.bos >= Fraction(1, 2)
>>> small_error_means_a_sink()

A model is data (task, content set, a value per token, a rule for the rows), prints as such, and
``model.figures()`` lists all of it as ``"p/q"`` strings.  Fix what the statement fixes, leave the
rest to be drawn: ``attention_models(TriggerTask(4, 1), softmax=True)``.

Numbers and inputs: ``rationals``, ``vectors``, ``directions``, ``simplex_rows``, ``tasks``,
``content_sets``, ``inputs``.  One layer: ``attention_models`` (most near a solution),
``solutions``, ``saturated_models``, ``arbitrary_models``, ``gauge_pairs``.  Others: ``stacks``
(several layers), ``bilinear_models`` (softmax by weights, with a law on contents), ``relu_cases``,
``models_without_bos``, ``logit_models`` and ``sharp_logit_models`` (softmax of logits, judged in
Arb balls).
"""

from empirics.strategies.attention_models import (
    GaugePair,
    arbitrary_models,
    attention_models,
    gauge_pairs,
    saturated_models,
    solutions,
)
from empirics.strategies.draws import (
    content_sets,
    directions,
    inputs,
    rationals,
    simplex_rows,
    tasks,
    vectors,
)
from empirics.strategies.logit_models import (
    LogitModel,
    PrefixLogits,
    logit_models,
    sharp_logit_models,
)
from empirics.strategies.model import Model, Values
from empirics.strategies.other_models import (
    LawModel,
    ReluCase,
    bilinear_models,
    models_without_bos,
    relu_cases,
)
from empirics.strategies.stacks import Stack, stacks

__all__ = [
    "GaugePair",
    "LawModel",
    "LogitModel",
    "Model",
    "PrefixLogits",
    "ReluCase",
    "Stack",
    "Values",
    "arbitrary_models",
    "attention_models",
    "bilinear_models",
    "content_sets",
    "directions",
    "gauge_pairs",
    "inputs",
    "logit_models",
    "models_without_bos",
    "rationals",
    "relu_cases",
    "saturated_models",
    "sharp_logit_models",
    "simplex_rows",
    "solutions",
    "stacks",
    "tasks",
    "vectors",
]
