"""``skirmish print``: every document as PDF."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish.cli import beach_head, games
from skirmish.cli.army import ANY_ARMY, army_at
from skirmish.cli.battle import Kept
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import Complaint, complain, harmless, say
from skirmish.sheets import output as finished

if TYPE_CHECKING:
    from skirmish.games.plastic.odds.table import OddsTable
    from skirmish.games.plastic.scenarios.scenario import Scenario
    from skirmish.sheets.documents import StoredGame


def _printed(
    id: str,
    subject: Any,
    where: tuple[str | None, Paper, Ink, bool],
    *,
    form: bool = False,
    **more: Any,
) -> None:
    """A document of WWII Plastic Skirmish into its file; ``where``: output, paper, ink, force."""
    from skirmish.cli.files import deliver
    from skirmish.sheets.documents import Look
    from skirmish.sheets.plastic import PLASTIC

    output, paper, ink, force = where
    document = PLASTIC[id]
    data = document.pdf(subject, Look(paper.value, ink.value, form), **more)
    deliver(data, output, document.name(subject), force, document.called)


def _stored(ref: str) -> StoredGame:
    """The battle that ``ref`` names. Raises StoreError, Complaint."""
    from skirmish.cli.battle_kept import battle_called, folded
    from skirmish.sheets.documents import StoredGame

    record, entries = battle_called(ref)
    return StoredGame(record.id, folded(record, entries), record.started)


def scenario(
    which: Annotated[
        str,
        typer.Argument(
            metavar="N|all", help="A scenario's number, 1 to 10, or all.", show_default=False
        ),
    ],
    *,
    ruling: Annotated[
        list[str] | None,
        typer.Option("--ruling", metavar="ID=ANSWER", help="Change a ruling; may be repeated."),
    ] = None,
    form: Form = False,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print a scenario sheet, or all of them in one file.

    The file is scenario-NN-NAME.pdf (for all of them scenarios.pdf, with bookmarks) in the current
    folder unless -o is given. With --form, figures, options and turns can be ticked on a tablet.

    Example: skirmish print scenario 10 --ruling P80=american_16
    """
    chosen, where = _chosen(which), (output, paper, ink, force)
    answers = _answers(ruling or [])
    if chosen is None:
        _printed("all", None, where, form=form, answers=answers)
    else:
        _printed("scenario", [chosen], where, form=form, answers=answers)


def _chosen(which: str) -> Scenario | None:
    """The scenario that ``which`` means, None for all of them; raises Complaint."""
    from skirmish import library

    known, which = library.scenarios(), which.strip()
    if which.casefold() == "all":
        return None
    number = int(which) if which.isdecimal() and len(which) < 4 else 0
    if number not in known:
        raise Complaint(
            f"There is no scenario {harmless(which) or '“”'}; use a number from {min(known)} to "
            f"{max(known)}, or all. `skirmish scenarios` lists them."
        )
    return known[number]


def _answers(written: list[str]) -> dict[str, str]:
    """``P80=american_16`` and so on as a choice of answers; raises Complaint."""
    from skirmish import library

    answers = {}
    for text in written:
        name, equals, answer = text.partition("=")
        if not equals:
            raise Complaint(
                f"--ruling {harmless(text)}: write an ID and an answer, such as P80=american_16."
            )
        answers[name.strip().upper()] = answer.strip()
    problems = [str(problem) for problem in library.rulings().problems(answers, "--ruling")]
    if problems:
        raise Complaint("\n".join(problems))
    return answers


def roster(
    army: Annotated[
        str | None, typer.Argument(metavar="NAME|FILE", help=ANY_ARMY, show_default=False)
    ] = None,
    *,
    battle: Annotated[
        str | None,
        typer.Option("--battle", metavar="N", help="Both sides of this battle instead."),
    ] = None,
    form: Form = False,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print an army's roster, or those of a battle.

    The file is roster-NAME.pdf (rosters-TITLE.pdf for a battle) in the current folder unless -o is
    given. The roster of an army that is not legal says which limits it breaks. The rosters of a
    battle have its losses struck out and leave hidden units out.

    Example: skirmish print roster my-army.toml --paper letter
    """
    from skirmish.games.plastic.rules.breaches import breaches, standing

    where = output, paper, ink, force
    if (army is None) == (battle is None):
        raise Complaint("Name either an army or, with --battle, a battle.")
    if battle is not None:
        if form:
            raise Complaint("--form needs an army; it does not work with --battle.")
        _printed("standing", _stored(battle), where)
        return
    assert army is not None
    found = army_at(army)
    _printed("roster", found, where, form=form)
    if output != "-" and standing(breaches(found)):
        say("The army is not legal; the roster says why.")


def markers(
    army: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help=ANY_ARMY, show_default=False)
    ] = None,
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print markers and templates at true scale.

    With an army, its own tags; otherwise some of every type. Print at 100 percent, and check with
    the ruler at the top of every page.

    Example: skirmish print markers my-army.toml
    """
    _printed("markers", army_at(army) if army else None, (output, paper, ink, force))


def _tables() -> list[OddsTable]:
    """From a fresh deck and from the die, under the default rulings."""
    from skirmish import library
    from skirmish.games.plastic.odds import pack
    from skirmish.games.plastic.odds.table import odds_table

    catalog, rulings = library.catalog(), library.rulings().defaults()
    return [odds_table(catalog, rulings, one) for one in (pack.fresh(rulings), pack.die())]


def _of_nothing(id: str, subject: Callable[[], Any] = lambda: None) -> Callable[..., None]:
    def command(
        *,
        output: Output = None,
        paper: Sheet = Paper.A4,
        ink: Inks = Ink.COLOUR,
        force: Force = False,
    ) -> None:
        _printed(id, subject(), (output, paper, ink, force))

    return command


def _of_battle(id: str) -> Callable[..., None]:
    def command(
        battle: Kept,
        *,
        output: Output = None,
        paper: Sheet = Paper.A4,
        ink: Inks = Ink.COLOUR,
        force: Force = False,
    ) -> None:
        _printed(id, _stored(battle), (output, paper, ink, force))

    return command


REFERENCE = """\
Print the quick reference, both sides of one sheet.

Turn, firing table and modifiers on the front; checks, units, movement and armies on the back.

Example: skirmish print reference --ink saver"""
ODDS = """\
Print the odds table on one page.

Every weapon against every kind of target, in the open and in cover, from a fresh deck and with
the d12.

Example: skirmish print odds --ink saver"""
REPORT = """\
Print a battle report.

Map, result, losses, charts and the moments worth telling, on one or two pages. The file is
report-TITLE.pdf in the current folder unless -o is given.

Example: skirmish print report 3"""
POSITION = """\
Print a battle as it stands, to finish it on paper.

Turn and phase, both rosters with losses struck out, who has fired or is aboard, the cards
that are left, and reinforcements. Hidden units are left out. The file is position-TITLE.pdf
in the current folder unless -o is given.

Example: skirmish print position 3 --ink saver"""
BLANK = """\
Print a blank roster to fill in by hand.

Example: skirmish print blank --paper letter"""


def _telling(command: Callable[..., None]) -> Callable[..., None]:
    """The command, and after it a sentence on stderr about signs that no font has."""

    @wraps(command)
    def told(*args: Any, **named: Any) -> None:
        finished.missing_signs()  # what belongs to an earlier sheet
        command(*args, **named)
        if missing := finished.missing_signs():
            complain(missing)

    return told


app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Print scenario sheets, rosters and more as PDF.",
)
for name, command, about in (
    ("scenario", scenario, None),
    ("roster", roster, None),
    ("reference", _of_nothing("reference"), REFERENCE),
    ("markers", markers, None),
    ("odds", _of_nothing("odds", _tables), ODDS),
    ("report", _of_battle("report"), REPORT),
    ("position", _of_battle("position"), POSITION),
    ("blank", _of_nothing("blank"), BLANK),
    ("beach-head", beach_head.sheet, None),
    ("game", games.print_game, None),
):
    app.command(name, help=about)(_telling(command))
