"""The command ``sinkproof``.

Exit codes: 0 done; 1 evidence failed or a claim is refuted; 2 bad input; 3 required evidence could
not run (``--strict``).  With ``--json`` standard output carries one object and nothing else.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from theorems import claims
from theorems.errors import UserError
from theorems.evidence import Kind, Mode, discover
from theorems.files import versions, write_json
from theorems.ledger import LEDGER, read
from theorems.sources import CHECKOUT, ROOT

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object only.")
out = click.option("--out", type=click.Path(path_type=Path), help="Write the JSON object here too.")
ledger = click.option(
    "--ledger",
    type=click.Path(path_type=Path),
    default=LEDGER,
    show_default="results/ledger of the checkout; none when installed without one",
    help="Folder of the ledger's entries.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(versions()["sinkproof"], prog_name="sinkproof")
def app() -> None:
    """What is true about attention sinks: statements, proofs, constructions, searches, models."""


@app.command()
@click.argument("names", nargs=-1, metavar="[CLAIM]...")
@click.option("--quick", "mode", flag_value="quick", default=True, help="Smallest sizes (default).")
@click.option("--standard", "mode", flag_value="standard", help="The sizes that the tests use.")
@click.option("--full", "mode", flag_value="full", help="Everything, long training included.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([str(k) for k in Kind]),
    help="Only this kind of evidence (may be repeated).",
)
@click.option("--strict", is_flag=True, help="Exit 3 when some evidence could not run.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of searches, training.")
@click.option("--record/--no-record", default=True, help="Write the results to the ledger.")
@ledger
@as_json
@out
def verify(
    names: tuple[str, ...],
    mode: str,
    kinds: tuple[str, ...],
    strict: bool,
    seed: int,
    record: bool,
    ledger: Path,
    as_json: bool,
    out: Path | None,
) -> None:
    """Run the evidence for the claims (all of them by default; ids, papers' ids such as A2, or
    names of statements) and print a table of claims × evidence with figures."""
    from empirics import verification

    wanted = claims.select(names) if names else claims.everything()
    report = verification.run_evidence(
        wanted,
        mode=Mode(mode),
        kinds=[Kind(k) for k in kinds] or list(Kind),
        seed=seed,
        ledger=ledger if record and (CHECKOUT or ledger != LEDGER) else None,
        console=Console(stderr=True),
    )
    if not as_json:
        verification.print_table(report, screen())
    publish(lambda: verification.as_object(report), as_json, out)
    if report.failed:
        raise click.exceptions.Exit(1)
    if strict and report.not_run:
        raise click.exceptions.Exit(3)


@app.command()
@click.argument("name", metavar="NAME")
@click.option("--latex", is_flag=True, help="Statements as LaTeX.")
@ledger
@as_json
@out
def show(name: str, latex: bool, ledger: Path, as_json: bool, out: Path | None) -> None:
    """Print a claim: statement, constants, what the paper states and how ours differs, evidence."""
    from empirics import showing

    found = claims.find(name)
    items, entries = discover(), entries_in(ledger)
    if not as_json:
        for claim in found:
            showing.print_claim(claim, items, entries, screen(), latex=latex)

    def content() -> dict[str, Any]:
        shown = [showing.claim_object(c, items, entries) for c in found]
        return shown[0] if len(shown) == 1 else {"subject": name, "claims": shown}

    publish(content, as_json, out)


@app.command(name="list")
@ledger
@as_json
@out
def list_claims(ledger: Path, as_json: bool, out: Path | None) -> None:
    """Print every claim with its status from the ledger."""
    from empirics import showing

    rows = showing.listing(discover(), entries_in(ledger))
    if not as_json:
        showing.print_listing(rows, screen())
    publish(lambda: {"subject": "list", "claims": rows, "versions": versions()}, as_json, out)


@app.command(name="map")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the map is out of date.")
@click.option("--file", type=click.Path(path_type=Path), default=ROOT / "paper_map.md")
@ledger
def map_papers(check: bool, file: Path, ledger: Path) -> None:
    """Write paper_map.md from the registry and the ledger, or check that it is up to date."""
    from theorems import paper_map

    items, entries = discover(), read(ledger)
    if not entries:
        raise UserError(
            f"no ledger entries in {ledger}: run `sinkproof verify` in a checkout first"
        )
    if check:
        if not file.is_file():
            raise UserError(f"{file} does not exist: run `sinkproof map` to write it")
        wrong = paper_map.complaints(items, entries, file.read_text(encoding="utf-8"))
        for sentence in wrong:
            click.echo(sentence, err=True)
        if wrong:
            raise click.exceptions.Exit(1)
        click.echo(f"{file.name} is up to date with {len(entries)} ledger entries")
        return
    try:
        file.write_text(paper_map.render(items, entries), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"wrote {file.name}")


@app.command()
@as_json
@out
def doctor(as_json: bool, out: Path | None) -> None:
    """Print what is installed and which kinds of evidence can run here."""
    from empirics import doctor as examination

    findings = examination.examine()
    if not as_json:
        examination.print_findings(findings, screen())
    publish(lambda: findings, as_json, out)


@app.command()
@click.option("--attention", default="softmax", show_default=True, help="Mechanism by name.")
@click.option("--layers", type=int, default=1, show_default=True)
@click.option("--heads", type=int, default=1, show_default=True, help="Heads in each layer.")
@click.option(
    "--residual/--no-residual", default=None, help="Residual stream (default: with several layers)."
)
@click.option("--seeds", type=int, default=8, show_default=True, help="Models, trained together.")
@click.option("--length", type=int, default=16, show_default=True, help="Sequence length L.")
@click.option("--content-dim", type=int, default=13, show_default=True, help="Content width n.")
@click.option("--steps", type=int, default=50_000, show_default=True, help="Stop at the latest.")
@click.option("--lr", type=float, help="Learning rate (default: 1e-3, or 1e-4 for several layers).")
@click.option("--batch", type=int, default=128, show_default=True, help="Sequences in a batch.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for checkpoints, weights and metrics."
)
@click.option("--resume", is_flag=True, help="Go on from the checkpoint in --out.")
@click.option("--threads", type=int, default=1, show_default=True)
@click.option(
    "--worst-case",
    is_flag=True,
    help="After the stop, train on with a term for the worst contents, as certify --train-on does "
    "(one layer, one head, softmax or relu).",
)
@as_json
def train(**settings: Any) -> None:
    """Train attention-only models on the trigger task, many seeds at once, and measure them."""
    from empirics.training.command import train_command

    train_command(**settings)


@app.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--attention", type=click.Choice(["softmax", "relu"]), help="Default: the file's.")
@click.option("--length", type=int, help="Any L ≥ 4 (default: the file's, or 16).")
@click.option(
    "--layout",
    type=click.Choice(["ours", "author"]),
    help="Order of a token's coordinates: bos, trigger, then ordinary, content (ours) or content, "
    "ordinary (author; the default for files that do not say).",
)
@click.option("--heads", type=int, help="Heads in each layer (default: the file's, or 1).")
@click.option(
    "--residual/--no-residual", "with_residual", default=None, help="Default: the file's."
)
@click.option(
    "--train-on",
    type=click.Path(path_type=Path),
    help="First train MODEL on, write the weights here and certify those: the loss gets a term for "
    "the worst logits over all contents, where random ones rarely reach (one layer, one head).",
)
@click.option("--check", type=click.Path(path_type=Path), help="Check this certificate of MODEL.")
@as_json
@out
def certify(model: Path, check: Path | None, **settings: Any) -> None:
    """Bound BOS weight and error of a trained MODEL over all inputs, or check a certificate.

    MODEL is a safetensors file or a torch state dict with W_Q, W_K, W_V and W_O as nn.Linear
    weights (layers.0.W_Q.weight … for stacks), nothing else; contents are in [-1,1]^n, n ≤ 16.  The
    certificate (--out, --json) holds exact bounds and worst inputs found; --check verifies it from
    the weights alone, exit code 1 if it is rejected.
    """
    if check is not None:
        from empirics.certificates.check_command import check_command

        check_command(check, model)
        return
    from empirics.certificates.command import certify_command

    certify_command(model, **settings)


@app.command()
@click.argument("claim", required=False)
@click.option("--bound", help="Upper bound on m = 1 − α_BOS (for floors: lower bound on η).")
@click.option("--drop", multiple=True, metavar="HYPOTHESIS", help="Do not assume it (repeatable).")
@click.option("--heads", type=int, help="Heads in each layer.")
@click.option("--layers", type=int, help="Layers D.")
@click.option("--residual/--no-residual", default=None, help="A residual stream.")
@click.option("--mechanism", help="simplex softmax bilinear off_by_one relu sigmoid linear …")
@click.option("--rows", help="Rows at which it is claimed: all, before, after, two.")
@click.option("--length", "lengths", type=int, multiple=True, help="L (repeatable).")
@click.option("--contents", help="Content set, such as '-1 1' (default: one content).")
@click.option("--eta-max", help="Largest η of which it speaks, in κ, L, D; none for no limit.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=2_000_000,
    show_default=True,
    help="Models to try, gradient steps included.",
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--replay", type=click.Path(path_type=Path), help="Judge this witness file anew.")
@click.option(
    "--tightness",
    is_flag=True,
    help="Print the bounds beside the best found; what is not in results/falsifier is searched.",
)
@click.option("--open-questions", is_flag=True, help="The same for the open questions.")
@click.option("--plot", type=click.Path(path_type=Path), help="With --tightness: draw it here.")
@click.option("--corpus", is_flag=True, help="Search every claim with a known answer instead.")
@click.option("--seeds", type=click.IntRange(min=1), default=10, show_default=True, help="Corpus.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Corpus.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help="Corpus: keep finished searches here, and go on from them.",
)
@as_json
@out
def falsify(
    claim: str | None,
    replay: Path | None,
    tightness: bool,
    open_questions: bool,
    plot: Path | None,
    corpus: bool,
    seeds: int,
    workers: int,
    resume: Path | None,
    as_json: bool,
    out: Path | None,
    **options: Any,
) -> None:
    """Search for a counterexample to CLAIM, changed as you say, and judge it exactly.

    Bounds are arithmetic in eta, kappa, L and D (floors: m, kappa, L, D).  Hypotheses: bos_row,
    position_free, length_4, single_head, no_residual, no_mlp, rows_sum_to_one.  Exit code 1 if it
    is refuted, with the witness; 0 if not (corpus: 1 if a required rate is not met).
    """
    from empirics.falsifier import command

    if replay is not None:
        content, sentence, refuted = command.replay_command(replay)
        lines = [sentence]
    elif tightness or open_questions:
        content, lines = command.study_command(open_questions, plot, quiet=as_json)
        refuted = False
    elif corpus:
        content = command.corpus_command(seeds, workers, resume, quiet=as_json)
        refuted, lines = content["status"] != "required rates met", command.corpus_lines(content)
    elif claim is None:
        raise UserError(f"name a claim to falsify: {command.names()}")
    else:
        report = command.falsify_command(claim, quiet=as_json, **options)
        content, refuted, lines = report.as_json(), report.refuted, list(command.lines_of(report))
    if not as_json:
        for line in lines:
            click.echo(line)
    publish(lambda: content, as_json, out)
    if refuted:
        raise click.exceptions.Exit(1)


@app.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--text", type=click.Path(path_type=Path), help="Text to measure on.")
@click.option("--ids", help="Token ids: 5,8,13 …, or a file with one prompt a line.")
@click.option("--length", type=int, default=64, show_default=True, help="Tokens of a prompt, T.")
@click.option("--prompts", type=click.IntRange(min=1), default=8, show_default=True)
@click.option(
    "--bos",
    type=click.Choice(["keep", "add", "drop"]),
    default="keep",
    show_default=True,
    help="Keep what the tokenizer puts in front of a text, or add or drop BOS.",
)
@click.option(
    "--dtype",
    type=click.Choice(["float32", "bfloat16", "float16"]),
    default="float32",
    show_default=True,
)
@click.option("--plot", type=click.Path(path_type=Path), help="Folder for three figures.")
@click.option(
    "--json",
    "json_to",
    metavar="[OUT]",
    is_flag=False,
    flag_value="-",
    help="Print one JSON object only, or write it to OUT.",
)
def measure(model: Path, json_to: str | None, **settings: Any) -> None:
    """Measure attention sinks and massive activations of MODEL: a local Hugging Face folder with
    safetensors, or a GGUF file."""
    from empirics.probes.command import measure_command

    found = measure_command(model, **settings)
    if json_to is None:
        from empirics.probes.showing import print_measured

        print_measured(found, screen())
    else:
        printed = json_to == "-"
        publish(found.as_object, printed, None if printed else Path(json_to))


@app.command()
@click.option("--figure", type=click.Path(path_type=Path), help="Draw BOS mass by mechanism here.")
@click.option("--shape", type=click.Choice(["1x1", "2x2", "4x4"]), default="2x2", help="To draw.")
@click.option("--price", type=click.Path(path_type=Path), help="Draw the price of removal here.")
@as_json
@out
def mechanisms(
    figure: Path | None, shape: str, price: Path | None, as_json: bool, out: Path | None
) -> None:
    """Print the mechanism table: is a sink necessary, a solution without one, what training
    found."""
    from empirics.mechanisms import showing

    if not as_json:
        showing.print_table(screen())
    if figure is not None:
        showing.draw(figure, shape)
    if price is not None:
        from empirics.mechanisms import price as removal

        removal.draw(price)
    publish(showing.table_object, as_json, out)


@app.command()
@click.argument("action", type=click.Choice(["run", "list", "collect"]))
@click.argument("parts", nargs=-1, metavar="[PART]...")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("runs/mechanisms"), show_default=True
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--backend", type=click.Choice(["loky", "dask"]), help="Default: this process.")
@click.option("--address", default="", help="Address of a Dask scheduler.")
def sweep(action: str, parts: tuple[str, ...], out: Path, **settings: Any) -> None:
    """Train every mechanism (parts: price, heads, small, large); a stopped sweep goes on when run
    again."""
    from empirics.mechanisms.sweep import sweep_command

    for line in sweep_command(action, parts, out=out, **settings):
        click.echo(line)


@app.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for the page, index.html (default: build/report).",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in a browser.")
@ledger
@as_json
def report(out: Path | None, opened: bool, ledger: Path, as_json: bool) -> None:
    """Write one HTML page with every claim, picture and figure; it needs no network.

    With --json, print what it shows; the page is then written only where --out or --open ask.
    """
    from empirics.report import command

    content = command.contents(entries_in(ledger))
    if out or opened or not as_json:
        path = command.write(content, out or Path("build/report"))
        click.echo(f"wrote {path}", err=as_json)
        if opened and not command.show(path):
            click.echo("no browser was found: open the file yourself", err=True)
    publish(lambda: content, as_json, None)


def entries_in(folder: Path) -> dict[str, Any]:
    """The ledger in ``folder``, which must be there unless it is the default."""
    if folder != LEDGER and not folder.is_dir():
        raise UserError(f"there is no ledger folder {folder}: give the folder of its entries")
    return read(folder)


def screen() -> Console:
    """Standard output: the terminal's own width, or 110 columns when there is no terminal."""
    return Console() if sys.stdout.isatty() else Console(width=110)


def publish(content: Callable[[], dict[str, Any]], as_json: bool, out: Path | None) -> None:
    """Print the object as the only output, and write it to ``out``, where they are asked for."""
    if out is not None:
        if out.is_dir():
            raise UserError(f"--out {out} is a folder: give the name of a file")
        write_json(out, content())
    if as_json:
        click.echo(json.dumps(content(), indent=1, ensure_ascii=False, default=str))


def main() -> None:
    """Run the command line; a user's mistake is one sentence and exit code 2."""
    try:
        code = app(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.ctx.get_help())
        sys.exit(0)
    except UserError as error:
        sys.exit(_complain(str(error)))
    except click.ClickException as error:
        sys.exit(_complain(error.format_message()))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_complain("stopped", code=130))
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        sys.exit(_complain(f"cannot read or write{where}: {error.strerror or error}"))
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate" not in str(error):
            raise
        sys.exit(_complain("this needs more memory than there is: ask for smaller sizes"))
    sys.exit(code if isinstance(code, int) else 0)


def _complain(sentence: str, code: int = 2) -> int:
    print(f"sinkproof: {' '.join(sentence.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
