"""``skirmish <game>`` for a companion of a board game: the commands of every game, its units and
typed-in tables as files, and answers from its tables for other programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, cast

import msgspec
import typer

from skirmish import resources
from skirmish.cli.console import FAILED, CommandError, say
from skirmish.cli.files import Force, Output, QuestionsFile, deliver, text_of
from skirmish.cli.games import GameVerbs
from skirmish.cli.questions import answer_lines
from skirmish.cli.rulings import add_rulings
from skirmish.cli.stored_games import GameNumber, load_game, open_store
from skirmish.registry import Listed, load
from skirmish.session import at_once, job_runner
from skirmish.tabletop.companion.counter_csv import as_csv, csv_rows
from skirmish.tabletop.companion.counter_rows import as_rows
from skirmish.tabletop.companion.counters import Register
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.tabletop.companion.table_game import TableGame
    from skirmish.tabletop.game import Game

    AnyTableGame: TypeAlias = TableGame[Any, Any, Any]

UNIT = "unit"
"""The TOML table of each counter: ``[[unit]]``."""


class AnswersLines(Protocol):
    """A game that answers questions of other programs from its tables."""

    def answer(self, line: bytes) -> object:
        """The answer to a line of JSON; raises DataError."""


class HasCard(Protocol):
    """A game whose owner types in more of his printed copy than its units, such as a card with
    tables."""

    def typed(self, state: Any) -> object:
        """Everything that was typed in, in the shape of the file that ``card`` writes."""

    def taken(self, state: Any, raw: Mapping[str, Any], file: str) -> Any:
        """The order that replaces it by ``raw``, the content of such a file; raises DataError."""


def app_of(listed: Listed) -> typer.Typer:
    """The command line of a companion, a game that derives from ``TableGame``."""
    command = f"skirmish {listed.command}"
    app = typer.Typer(help=f"Show and copy games of {listed.name}.")
    GameVerbs(listed, command).add_to(app)
    _add_units(app, listed, command)
    if listed.typed_in:
        _add_card(app, listed, command)
    add_rulings(app, listed, command)
    _add_questions(app, listed, command)
    return app


def _add_questions(app: typer.Typer, listed: Listed, command: str) -> None:
    """Add the verb with which other programs ask for answers from the tables of a game."""
    assert listed.questions is not None
    verb, about, example = listed.questions

    def answer(file: QuestionsFile = "-") -> None:  # its help is given to ``app.command`` below
        game = cast("AnswersLines", load(listed.id))
        if not answer_lines(file, game.answer):
            raise typer.Exit(FAILED)

    # After a line with a backspace (\b), the parser keeps the line breaks of a paragraph.
    help_text = f"{about}\n\n\b\nExample:\n  echo '{example}' | {command} {verb}"
    app.command(verb, help=help_text)(answer)


def _add_units(app: typer.Typer, listed: Listed, command: str) -> None:
    """Add ``units``, which writes the units of a game to a file or takes them from one."""

    def units(
        number: GameNumber,
        source: Annotated[
            str | None,
            typer.Option("--from", metavar="FILE|-", help="Take units from this file instead."),
        ] = None,
        output: Output = None,
        force: Force = False,
    ) -> None:
        record, loaded, play = load_game(number, listed)
        game = cast("AnyTableGame", loaded)
        if source is None:
            default = _file_name(listed, record.id, "units")
            is_csv = _is_csv_wanted(output or default)
            data = _units_file(game, play.state.counters, is_csv=is_csv)
            deliver(data.encode(), output, default, force, "Units")
            return
        count = _store_units(record.id, game, play.state, source)
        units_are = f"{count} units of {source} are"
        if count == 1:
            units_are = f"One unit of {source} is"
        say(f"{units_are} in game {record.id} now.")

    about = "Write the units of a game to a file (TOML, CSV), or take one in."
    app.command(help=f"{about}\n\nExample: {command} units 3 -o units.csv")(units)


def _is_csv_wanted(target: str) -> bool:
    """Whether units are written to ``target`` as CSV rather than as TOML; raises CommandError for a
    file that is neither."""
    if target.endswith(("/", os.sep)):  # a folder, which may have a dot in its name
        return False
    ending = PurePath(target).suffix.lower()
    # Without an ending, the target is a folder or stdout; either gets TOML.
    if ending not in (".toml", ".csv", ""):
        raise CommandError(f"{target}: units are written to a file .toml or .csv.")
    return ending == ".csv"


def _file_name(listed: Listed, number: int, content: str) -> str:
    """The default name of an exported file: ``bloody-omaha-3-card.toml``."""
    return f"{listed.command}-{number}-{content}.toml"


def _add_card(app: typer.Typer, listed: Listed, command: str) -> None:
    """Add ``card``, which writes what else an owner typed in of his printed game to a file, or
    takes it from one."""

    def card(
        number: GameNumber,
        source: Annotated[
            str | None, typer.Option("--from", metavar="FILE|-", help="Take this file in instead.")
        ] = None,
        output: Output = None,
        force: Force = False,
    ) -> None:
        import tomli_w

        record, game, play = load_game(number, listed)
        game_with_card = cast("HasCard", game)
        if source is None:
            default = _file_name(listed, record.id, "card")
            typed = _without_none(msgspec.to_builtins(game_with_card.typed(play.state)))
            deliver(tomli_w.dumps(typed).encode(), output, default, force, "Card")
            return
        text, shown_name = text_of(source, "card file")

        def take_card() -> Any:
            return game_with_card.taken(play.state, resources.parse(text, shown_name), shown_name)

        _give_order(record.id, game, take_card)
        say(f"{shown_name} is in game {record.id} now.")

    about = "Write what was typed into a game to a file, or take one in."
    what_it_holds = f"The file holds the {listed.typed_in} of the game."
    app.command(help=f"{about}\n\n{what_it_holds}\n\nExample: {command} card 3 -o card.toml")(card)


def _without_none(value: Any) -> Any:
    """A value for TOML, which has no null: an empty text takes its place."""
    if isinstance(value, dict):
        return {name: _without_none(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without_none(entry) for entry in value]
    if value is None:
        return ""
    return value


def _give_order(number: int, game: Game[Any, Any, Any], make_order: Callable[[], Any]) -> None:
    """Give the order that ``make_order`` returns to a stored game. Raises CommandError where the
    order cannot be made (``make_order`` raises DataError), or where the rules refuse it."""
    from skirmish.cli.line_play import resumed

    try:
        with open_store() as store:
            session = resumed(job_runner(store), game, number).session
            at_once(session.give(make_order()))
    except (DataError, Refused) as error:
        raise CommandError(str(error)) from None


def _units_file(game: AnyTableGame, register: Register, *, is_csv: bool) -> str:
    """The content of a file with the units: CSV or TOML."""
    import tomli_w

    if is_csv:
        return as_csv(register, game.ratings)
    return tomli_w.dumps({UNIT: as_rows(register)})


def _store_units(number: int, game: AnyTableGame, state: Any, source: str) -> int:
    """Store the units of a file in a game, and return how many they are. Raises CommandError."""
    text, shown_name = text_of(source, "file of units")
    # Standard input has no ending: there CSV is recognized by its first column.
    is_csv = PurePath(source).suffix.lower() == ".csv" or text.lstrip().startswith("name,")
    rows: Any  # what a TOML file has under ``unit`` may be anything
    if is_csv:
        rows = csv_rows(text, game.ratings, shown_name)
    else:
        rows = resources.parse(text, shown_name).get(UNIT)
    if not isinstance(rows, list) or not rows:
        raise CommandError(
            f"{shown_name}: there is no unit; each is a [[{UNIT}]], or a line of CSV."
        )
    _give_order(number, game, lambda: game.counters_of(state, rows, shown_name))
    return len(rows)
