"""Training attention-only models on the trigger-conditional task, many seeds at once.

    >>> from empirics.training import TrainConfig, train
    >>> config = TrainConfig(attention="relu", length=5, content_dim=1, batch=8, max_steps=2)
    >>> train(config).steps
    (2,)

``measure`` looks at what trained models attend to.  Modules, in reading order: ``config`` (the
protocol), ``data`` (batches), ``model`` (definitions), ``step`` (loss and gradient, fused),
``fused`` (its mechanisms), ``optimiser``, ``loop`` (``train``), ``files``, ``weights`` and
``checkpoint`` (what is on disk), ``measure``, ``command`` (``sinkproof train``), ``stored`` (kept
results), ``runs`` and ``evidence_*`` (trained evidence).
"""

from empirics.training.config import TrainConfig
from empirics.training.loop import Trained, train
from empirics.training.measure import Measurement, measure
from empirics.training.model import Weights, forward
from empirics.training.weights import load_weights, save_weights
from theorems.errors import UserError

__all__ = [
    "Measurement",
    "TrainConfig",
    "Trained",
    "UserError",
    "Weights",
    "forward",
    "load_weights",
    "measure",
    "save_weights",
    "train",
]
