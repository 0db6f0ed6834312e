"""``skirmish beach-head simulate``: many games without cards, and what they came to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.print_options import Force, Ink, Inks, Paper, Sheet

if TYPE_CHECKING:
    from skirmish.cli.beach_head_lines import Told

CSV_NAME = "beach-head-statistics.csv"
MOST_GAMES = 100_000_000_000
MOST_WORKERS = 256


class Variant(StrEnum):
    """The beaches."""

    NORMANDY = "normandy"
    OMAHA = "omaha"


class Engine(StrEnum):
    """Who plays."""

    AUTO = "auto"
    NUMPY = "numpy"
    NUMBA = "numba"


def simulate(  # noqa: PLR0917  (typer gives them by name)
    games: Annotated[int, typer.Option(metavar="N", help="Number of games.")] = 100_000,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="uniform (default), plan or better.",
                         show_default=False)
    ] = "uniform",
    readings: Annotated[
        str,
        typer.Option(metavar="NAMES", help="printed, draft_1d6, or B7=tank,B11=any.",
                     show_default=False),
    ] = "printed",
    variant: Annotated[
        Variant, typer.Option(case_sensitive=False, help="Which beach.")
    ] = Variant.NORMANDY,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same games.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Processes or threads; default: all cores.",
                     show_default=False),
    ] = None,
    engine: Annotated[
        Engine,
        typer.Option(case_sensitive=False, help="auto: numba, if installed, for a million."),
    ] = Engine.AUTO,
    as_json: Annotated[bool, typer.Option("--json", help="All statistics as JSON.")] = False,
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help="Counts of each result as CSV.",
                                 show_default=False),
    ] = None,
    pdf: Annotated[
        str | None, typer.Option(metavar="FILE", help="One page with plots; a file or a folder.",
                                 show_default=False),
    ] = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:  # fmt: skip
    """Play many games without cards, and show the statistics.

    \b
    Ctrl+C stops and shows the games played so far.
    Example: skirmish beach-head simulate --games 1000000 --readings draft_1d6
    """
    from skirmish.cli import beach_head_lines as lines
    from skirmish.cli.beach_head_games import play
    from skirmish.cli.beach_head_readings import answered
    from skirmish.cli.files import deliver, ready_for
    from skirmish.cli.speaking import Complaint, say, say_json
    from skirmish.sheets.beach_statistics import STATISTICS_NAME

    for name, number, most in (("games", games, MOST_GAMES), ("workers", workers, MOST_WORKERS)):
        if number is not None and not 1 <= number <= most:
            raise Complaint(f"--{name}: a number from 1 to {most:,}, not {number}.")
    if seed < 0:
        raise Complaint(f"--seed: a number from 0 on, not {seed}.")
    for option, chosen, usual in (("--csv", csv, CSV_NAME), ("--pdf", pdf, STATISTICS_NAME)):
        if chosen is not None:
            ready_for(chosen, usual, force, option)
    told = play(
        games=games,
        policy=policy,
        answers=answered(readings),
        variant=variant.value,
        seed=seed,
        workers=workers,
        engine=engine.value,
    )
    if not told.tally.games:
        raise typer.Exit(130)
    if as_json:
        say_json(lines.as_data(told))
    else:
        say("\n".join(lines.shown(told)))
    if csv is not None:
        deliver(lines.as_csv(told), csv, CSV_NAME, force, "CSV", other="--csv")
    if pdf is not None:
        page = _page(told, paper.value, ink.value)
        deliver(page, pdf, STATISTICS_NAME, force, "Statistics", other="--pdf")
    if told.tally.games < games:
        raise typer.Exit(130)


def _page(told: Told, paper: str, ink: str) -> bytes:
    from skirmish import library, shelf
    from skirmish.sheets.beach_statistics import statistics_pdf

    return statistics_pdf(
        told.tally,
        library.beach_playtest(),
        facts=told.facts(),
        readings=told.departures(),
        paper=paper,  # type: ignore[arg-type]
        revision=shelf.revision("beach_head"),
        use=ink,  # type: ignore[arg-type]
    )
