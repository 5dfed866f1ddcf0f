"""Three figures of a measurement: sink mass by layer and head, norms and spikes by layer."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from empirics.probes.measuring import Measured
from theorems.errors import UserError


def need_matplotlib() -> None:
    """Raises ``UserError`` that says how to install what drawing needs."""
    if find_spec("matplotlib") is None:
        raise UserError("drawing needs matplotlib: pip install 'sinkproof[plot]'")


def draw(measured: Measured, folder: Path) -> None:
    """Writes sink_mass.png, norms.png and massive_activations.png into ``folder``."""
    need_matplotlib()
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    f = measured.figures

    picture = Figure(figsize=(6, 5), layout="constrained")
    axes = picture.add_subplot()
    layers = sorted(f["sink_mass"])
    width = max(len(f["sink_mass"][i]) for i in layers)
    rows = [f["sink_mass"][i] + [float("nan")] * (width - len(f["sink_mass"][i])) for i in layers]
    image = axes.imshow(rows, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    axes.set(title=f"{measured.subject}: mass on the first token", xlabel="head", ylabel="layer")
    axes.set_yticks(range(len(layers)), [str(i) for i in layers])
    picture.colorbar(image, label="mean over queries i ≥ 2")
    picture.savefig(folder / "sink_mass.png", dpi=120)

    order = sorted(f["norms"])
    picture = Figure(figsize=(6, 4), layout="constrained")
    axes = picture.add_subplot()
    for key, label in (("first", "first token"), ("others", "others, median")):
        axes.plot(order, [f["norms"][i][key] for i in order], marker=".", label=label)
    axes.set(title=f"{measured.subject}: ‖h‖₂ at block outputs", xlabel="layer", yscale="log")
    axes.legend()
    picture.savefig(folder / "norms.png", dpi=120)

    picture = Figure(figsize=(6, 4), layout="constrained")
    axes = picture.add_subplot()
    spikes = f["massive_activations"]
    for rank in range(min(3, *(len(spikes[i]["top"]) for i in order), 3)):
        sizes = [abs(spikes[i]["top"][rank]["value"]) for i in order]
        axes.plot(order, sizes, marker=".", label=f"top {rank + 1}")
    axes.plot(order, [spikes[i]["median"] for i in order], marker=".", label="median")
    axes.set(title=f"{measured.subject}: |h| at block outputs", xlabel="layer", yscale="log")
    axes.legend()
    picture.savefig(folder / "massive_activations.png", dpi=120)
