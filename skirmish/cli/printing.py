"""``skirmish print``: every document as a PDF. Paper and ink are those of the settings unless they
are typed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

import typer

from skirmish import library, registry
from skirmish.cli.army import ANY_ARMY, army_at
from skirmish.cli.console import CommandError, complain, say
from skirmish.cli.files import Force, Output, deliver
from skirmish.cli.lookups import scenario_of
from skirmish.cli.rulings import named_rulings, rulings_option
from skirmish.cli.stored_games import GameNumber, load_game
from skirmish.games.plastic.odds.table import default_tables
from skirmish.games.plastic.rules.breaches import breaches
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.games.plastic.rules.limits import not_waived
from skirmish.games.plastic.scenario_record import with_record
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.registry import BATTLE, Listed
from skirmish.sheets.documents import Printable, PrintOptions, StoredGame, documents_of_game
from skirmish.sheets.inks import InkUse
from skirmish.sheets.label_stock import STOCKS, stock_of
from skirmish.sheets.missing_signs import forget_missing_signs, take_missing_signs
from skirmish.sheets.paper import MM, Paper
from skirmish.sheets.plastic import DOCUMENT_BY_ID
from skirmish.store.settings import read_settings, settings_file
from skirmish.tabletop.data_file import suggest

app = typer.Typer(help="Print scenario sheets, rosters and more as PDF.")
PaperSize = Annotated[
    Paper | None,
    typer.Option(
        "--paper", case_sensitive=False, help="Paper size; by default as in the settings."
    ),
]
Inks = Annotated[
    InkUse | None,
    typer.Option("--ink", case_sensitive=False, help="Ink use; by default as in the settings."),
]
Form = Annotated[
    bool, typer.Option("--form", help="Add boxes to tick and lines to type in, for a PDF reader.")
]
MOST_BLEED = 5.0
"""Millimetres by which the cover of a book is drawn beyond its page at most."""
MM_IN_AN_INCH = 25.4


def bleed_of(typed: str | None) -> float:
    """The bleed in points that was typed as ``3mm``, ``0.125in`` or ``3`` (millimetres); 0 for
    None. The bleed is the margin by which the cover of a book is drawn beyond its page, for a
    printer who cuts the pages out of larger paper. Raises CommandError."""
    if typed is None:
        return 0.0
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(mm|in)?", typed.strip().casefold())
    if match is None:
        raise CommandError(f"A bleed is a length such as 3mm or 0.125in, not {typed}.")
    millimetres = float(match[1])
    if match[2] == "in":
        millimetres *= MM_IN_AN_INCH
    if millimetres > MOST_BLEED:
        raise CommandError(f"A bleed of more than {MOST_BLEED:g}mm is not drawn; 3mm is usual.")
    return millimetres * MM


class Destination(NamedTuple):
    """Where and how a document is printed: the ``output`` as typed (None: a file in the current
    folder, named after the document), the paper and ink, and whether an existing file is
    overwritten (``force``)."""

    output: str | None
    options: PrintOptions
    force: bool

    def write(
        self, document: Printable | str, subject: Any = None, *, form: bool = False, **further: Any
    ) -> None:
        """Print a document, or the one of WWII Plastic Skirmish with this id. The ``subject`` is
        what it is made from, as its ``pdf`` takes it: an army, a list of scenarios, a battle; None
        for one that is always the same. ``form`` adds boxes that can be ticked on the screen;
        ``further`` are options that only this document has. Raises CommandError."""
        if isinstance(document, str):
            document = DOCUMENT_BY_ID[document]
        data = document.pdf(subject, self.options._replace(form=form), **further)
        deliver(data, self.output, document.file_name(subject), self.force, document.called)


def _destination(
    *,
    output: Output = None,
    paper: PaperSize = None,
    ink: Inks = None,
    force: Force = False,
) -> Destination:
    """The destination that these options name. All commands of ``skirmish print`` have the options
    that are the parameters of this function."""
    return Destination(output, print_options(paper, ink), force)


def print_options(paper: Paper | None, ink: InkUse | None) -> PrintOptions:
    """The paper and ink that were typed, or those of the settings. Raises DataError for settings
    that cannot be read."""
    # With both typed, unreadable settings do not stop the printing.
    if paper and ink:
        return PrintOptions(paper, ink)
    settings = read_settings(settings_file())
    return PrintOptions(paper or settings.paper, ink or settings.ink)


def print_command(
    name: str, help: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function the command ``skirmish print NAME``. The options that all of these commands
    share reach it as ``to``, a `Destination`. Characters that no font has are named on stderr
    afterwards."""

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        shared_options = inspect.signature(_destination, eval_str=True).parameters
        own_options = inspect.signature(command, eval_str=True).parameters

        def run(**typed: Any) -> None:
            forget_missing_signs()  # those of earlier sheets
            shared = {option: typed.pop(option) for option in shared_options}
            command(**typed, to=_destination(**shared))
            missing = take_missing_signs()
            if missing:
                complain(missing)

        # typer makes the options of a command from the signature of its function. ``run`` gets the
        # parameters of the command and of ``_destination``; only ``to`` is not typed.
        options = [option for option in own_options.values() if option.name != "to"]
        options.extend(shared_options.values())
        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        run.__annotations__ = {option.name: option.annotation for option in options}
        app.command(name, help=inspect.cleandoc(help or command.__doc__ or ""))(run)
        return command

    return with_options


# ------------------------------------------------------------------ WWII Plastic Skirmish


@print_command("scenario")
def scenario(
    which: Annotated[
        str,
        typer.Argument(
            metavar="N|all|mine",
            help="A number, all of the rules, or all of yours.",
            show_default=False,
        ),
    ],
    *,
    rulings: Annotated[
        list[str] | None,
        rulings_option("--ruling"),
    ] = None,
    form: Form = False,
    bleed: Annotated[
        str | None,
        typer.Option(
            "--bleed",
            metavar="3mm",
            help="The book with this bleed and crop marks.",
        ),
    ] = None,
    booklet: Annotated[
        bool,
        typer.Option("--booklet", help="The book on sheets to fold in the middle."),
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="With who has won it so far, and how.")
    ] = False,
    to: Destination,
) -> None:
    """Print a scenario sheet, or a book of all scenarios.

    The file is scenario-NN-NAME.pdf (a book: scenarios.pdf or own-scenarios.pdf) unless -o is
    given. With --form it can be ticked on a tablet.

    Example: skirmish print scenario 10 --rulings P80=american_16
    """
    answers = named_rulings(rulings or [], library.rulings())
    typed = which.strip().casefold()
    if typed in ("all", "mine"):
        _print_book(typed, to, form=form, answers=answers, bleed=bleed, booklet=booklet)
        return
    if bleed or booklet:
        raise CommandError("--bleed and --booklet are for books: skirmish print scenario all.")
    chosen = scenario_of(which, alternatives=", or all")
    if record:
        # Imported late: nothing else that is printed needs the dealing and editing of scenarios.
        from skirmish.cli.scenario import record_of_finished

        chosen = with_record(chosen, record_of_finished(chosen))
    to.write("scenario", [chosen], form=form, answers=answers)


def _print_book(
    book: str,
    to: Destination,
    *,
    form: bool,
    answers: Mapping[str, str],
    bleed: str | None,
    booklet: bool,
) -> None:
    """Print the book of the scenarios of the rules (``all``) or of the player's own (``mine``).
    Raises CommandError."""
    if bleed and booklet:
        raise CommandError("A booklet is folded and has no bleed. Choose one of the two.")
    if form and booklet:
        raise CommandError("A booklet cannot be ticked on a screen. Leave out --form.")
    own_scenarios = None
    if book == "mine":
        own_scenarios = _own_scenarios()
    to.write(
        book, own_scenarios, form=form, answers=answers, bleed=bleed_of(bleed), booklet=booklet
    )


def _own_scenarios() -> list[Scenario]:
    """The player's own scenarios. Raises CommandError if there is none that can be read."""
    own = list(library.own_scenarios().values())
    if not own:
        raise CommandError("You have no scenario of your own. `skirmish scenario new` makes one.")
    return own


@print_command("roster")
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
    to: Destination,
) -> None:
    """Print an army's roster, or those of a battle.

    The file is roster-NAME.pdf (rosters-TITLE.pdf for a battle) in the current folder unless -o is
    given. The roster of an army that is not legal says which limits it breaks. The rosters of a
    battle have its losses struck out and leave hidden units out.

    Example: skirmish print roster my-army.toml --paper letter
    """
    if (army is None) == (battle is None):
        raise CommandError("Name either an army or, with --battle, a battle.")
    if battle is not None:
        if form:
            raise CommandError("--form needs an army; it does not work with --battle.")
        rosters_as_they_stand = "standing"
        to.write(rosters_as_they_stand, _stored(battle, BATTLE))
        return
    assert army is not None
    army_to_print = army_at(army)
    to.write("roster", army_to_print, form=form)
    is_printed_to_stdout = to.output == "-"  # where a sentence would damage the PDF
    if not is_printed_to_stdout and not_waived(breaches(army_to_print)):
        say("The army is not legal; the roster says why.")


@print_command("markers")
def markers(
    army: Annotated[
        str | None, typer.Argument(metavar="NAME|FILE", help=ANY_ARMY, show_default=False)
    ] = None,
    *,
    scenario: Annotated[
        str | None,
        typer.Option("--scenario", metavar="N", help="As many works as this scenario has."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            "--labels",
            metavar="NAME",
            help=f"Tags and markers on sheets of labels: {', '.join(STOCKS)}.",
        ),
    ] = None,
    to: Destination,
) -> None:
    """Print markers and templates at true scale.

    With an army, its own tags and works; otherwise some of every type. Print at 100 percent, and
    check with the ruler at the top of every page. With --labels, tags and markers are laid out for
    self-adhesive labels; the paper is that of the labels.

    Example: skirmish print markers my-army.toml
    """
    works = None
    if scenario is not None:
        works = total_counts(side.works() for side in scenario_of(scenario).sides)
    army_to_print = None
    if army:
        army_to_print = army_at(army)
    if labels is not None:
        if scenario is not None:
            raise CommandError("Works do not go on labels: leave out --scenario or --labels.")
        try:
            stock = stock_of(labels)
        except ValueError as error:
            raise CommandError(str(error)) from error
        to.write("labels", army_to_print, labels=stock.name)
        return
    to.write("markers", army_to_print, works=works)


@print_command("odds")
def odds(*, to: Destination) -> None:
    """Print the odds table on one page.

    Every weapon against every kind of target, in the open and in cover, from a fresh deck and with
    the d12.

    Example: skirmish print odds --ink saver
    """
    to.write("odds", default_tables(library.catalog(), library.rulings().defaults()))


@print_command("reference")
def reference(*, to: Destination) -> None:
    """Print the quick reference, both sides of one sheet.

    Turn, firing table and modifiers on the front; checks, units, movement and armies on the back.

    Example: skirmish print reference --ink saver
    """
    to.write("reference")


@print_command("blank")
def blank(*, form: Form = False, to: Destination) -> None:
    """Print a blank roster to fill in by hand.

    With --form, it can be filled in on the screen.

    Example: skirmish print blank --paper letter
    """
    to.write("blank", form=form)


# ------------------------------------------------------------------ any stored game


@print_command("report")
def report(game: GameNumber, *, to: Destination) -> None:
    """Print the report of a game.

    That of a battle has its map, result, losses, charts and the moments worth telling, on one or
    two pages. The file is report-TITLE.pdf in the current folder unless -o is given.

    Example: skirmish print report 3
    """
    _print_game(game, "report", to)


@print_command("position")
def position(game: GameNumber, *, form: Form = False, to: Destination) -> None:
    """Print a game as it stands, to finish it on paper.

    For a battle that is: turn and phase, both rosters with losses struck out, who has fired or is
    aboard, the cards that are left, and reinforcements. Hidden units are left out. The file is
    position-TITLE.pdf in the current folder unless -o is given. With --form, a battle's turns,
    losses and cards can be ticked on a tablet, and notes typed.

    Example: skirmish print position 3 --ink saver
    """
    _print_game(game, "position", to, form=form)


@print_command("game")
def game_document(
    game: GameNumber,
    document: Annotated[str, typer.Argument(help="Which of its documents.")] = "position",
    *,
    form: Form = False,
    to: Destination,
) -> None:
    """Print a document of a game, such as its report.

    With the name of a game instead of a number, an empty sheet of it.

    Example: skirmish print game 12 report
    """
    _print_game(game, document, to, form=form)


def _print_game(name_or_number: str, document: str, to: Destination, *, form: bool = False) -> None:
    """Print a document of the stored game with this number, or, with the name of a game instead, an
    empty one to fill in by hand. Raises CommandError."""
    named_game = registry.named(name_or_number)
    if named_game is not None:
        stored_game = None
        game = registry.load(named_game.id)
    else:
        stored_game = _stored(name_or_number, None)
        game = registry.load(stored_game.game)
    documents = _documents_made_from_game(game.id)
    possible = documents
    if stored_game is None:
        possible = {
            id: printable for id, printable in documents.items() if printable.has_empty_sheet
        }
    if document in documents and document not in possible:
        message = f"The {document} is of a game: give its number instead of {name_or_number}."
        raise CommandError(message)
    if document not in possible:
        hint = suggest(document, possible)
        raise CommandError(f"{game.name} has no document {document!r}; {hint}")
    if form and not possible[document].boxed:
        raise CommandError(f"The {document} of {game.name} has nothing to tick: leave --form out.")
    to.write(possible[document], stored_game, form=form)


def _documents_made_from_game(game_id: str) -> dict[str, Printable]:
    """The documents of a game by their ids, without those that are made from an army or a scenario,
    which have commands of their own."""
    documents = {}
    for id, printable in documents_of_game(game_id).items():
        if printable.made_from == "game":
            documents[id] = printable
    return documents


def _stored(number: str, kind: Listed | None) -> StoredGame:
    """The stored game with this number; with a ``kind``, it must be a game of it."""
    record, game, play = load_game(number, kind)
    return StoredGame(record.id, play, record.started, game.id)
