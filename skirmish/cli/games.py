"""The commands that every game has, declared once: for the games of one kind, and for all games
together.

``GameVerbs`` has those that exist for both (``list``, ``show``, ``journal``, ``export``,
``import``); ``play``, ``follow`` and ``scores`` below it get the game as an argument.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from inspect import cleandoc
from itertools import zip_longest
from pathlib import PurePath
from typing import Annotated, Any

import msgspec
import typer
from msgspec import to_builtins
from msgspec.structs import replace

from skirmish import registry
from skirmish.cli.console import (
    BYTE_ORDER_MARK,
    CommandError,
    complain,
    counted,
    harmless,
    is_terminal,
    say,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.cli.files import AsJson, Force, Output, bytes_of, deliver
from skirmish.cli.journals import Everything, journal_data, journal_lines, say_journal
from skirmish.cli.line_play import resumed
from skirmish.cli.new_game import known_games, new_game
from skirmish.cli.stored_games import (
    GameNumber,
    find_game,
    finished_games,
    load_game,
    noun_forms,
    open_store,
    replayed,
    stored_games,
)
from skirmish.extras import log_beside
from skirmish.registry import BATTLE, Listed, listed, load
from skirmish.session import job_runner
from skirmish.store.place import find
from skirmish.store.records import BattleRecord
from skirmish.store.times import date, date_and_time, date_in_words
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.exported import BadExport, Header, Rebuilt, export, rebuilt
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal_codec import EntryRecord
from skirmish.tabletop.page_markdown import as_markdown
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.scores import score_rows
from skirmish.tabletop.text_width import folded, in_columns

LARGEST_EXPORT = 100_000_000
"""The most bytes of a file to import; a long battle has a few million."""
TITLE_WIDTH, STATUS_WIDTH = 26, 36
"""The most characters of a title and of a status in a list. With the number and the date, a row has
80."""
NUMBER_COLUMN = 0
"""The index of the column with the numbers of the games, which is aligned right."""
File = Annotated[
    str,
    typer.Argument(
        metavar="FILE|-", help="An exported game in JSON Lines; - is stdin.", show_default=False
    ),
]


class Format(StrEnum):
    """What an export is written as: a report to read, or JSON Lines that can be imported again."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSONL = "jsonl"


_FORMAT_OF_ENDING = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".jsonl": Format.JSONL,
    ".txt": Format.TEXT,
}
"""The format of an export by the ending of the file that was asked for."""
_ENDING_OF_FORMAT = {Format.TEXT: ".txt", Format.MARKDOWN: ".md", Format.JSONL: ".jsonl"}
"""The ending of an exported file whose name the program chooses."""


class GameVerbs:
    """The commands ``list``, ``show``, ``journal``, ``export`` and ``import``, for one ``kind`` of
    game or, without a ``kind``, for all. ``command`` is what is typed before them. Their docstrings
    are their help."""

    def __init__(self, kind: Listed | None = None, command: str = "skirmish") -> None:
        self._kind = kind
        self._command = command
        self._noun, self._nouns = noun_forms(kind)
        self._default_format = Format.JSONL
        """The format of an export, unless it is named or the file's ending shows it."""
        if kind is BATTLE:
            # Battles are mostly exported to be read, and scripts rely on getting the report.
            self._default_format = Format.TEXT

    def add_to(self, app: typer.Typer) -> typer.Typer:
        """Add the verbs to a command line; their help is filled in with the words of this kind."""
        for verb in (self.list, self.show, self.journal, self.export, self.import_file):
            help = cleandoc(verb.__doc__ or "").format(
                noun=self._noun,
                nouns=self._nouns,
                command=self._command,
                form=self._default_format.value,
            )
            # ``import`` is a word of Python and cannot be the name of a method.
            app.command(verb.__name__.removesuffix("_file"), help=help)(verb)
        return app

    def list(self, as_json: AsJson = False) -> None:
        """List your {nouns}, the most recently played first.

        Example: {command} list
        """
        records = stored_games(self._kind)
        if as_json:
            self._list_as_json(records)
            return
        if self._kind is None:
            _say_playable_games()
            if records:
                say()
        if records:
            self._say_table(records)
        elif self._kind is not None:
            self._say_none_is_stored(self._kind)

    def _say_table(self, records: Sequence[BattleRecord]) -> None:
        """Print a row for each stored game."""
        headings = ["", self._noun.capitalize(), "Status", "Played"]
        rows: list[Sequence[str]] = [headings]
        for record in records:
            rows += _list_rows(record)
        say("\n".join(in_columns(rows, right=(NUMBER_COLUMN,))))

    def _say_none_is_stored(self, kind: Listed) -> None:
        """Say that no game of this kind is stored, and what starts one."""
        games = self._nouns
        if kind is not BATTLE:  # only the flagship has battles: they need no name of a game
            games = f"{self._nouns} of {kind.name}"
        say(f"There are no {games} in {find().location}.")
        say("Run `skirmish` to start one.")

    def _list_as_json(self, records: Sequence[BattleRecord]) -> None:
        """Print the stored games as JSON; for all kinds together, the playable games as well."""
        if self._kind is not None:
            say_json([_record_data(record) for record in records])
            return
        games = []
        for kind in registry.all_games():
            games.append({"id": kind.id, "name": kind.name, "about": kind.about})
        stored = [{"game": record.game} | _record_data(record) for record in records]
        say_json({"games": games, "stored": stored})

    def show(self, which: GameNumber, as_json: AsJson = False) -> None:
        """Show how a {noun} stands.

        Example: {command} show 12
        """
        record, game, play = load_game(which, self._kind)
        if as_json:
            head = {"game": record.game} | _record_data(record) | game.facts(play)
            say_json(head | {"page": to_builtins(game.page(play.state))})
            return
        say(f"{record.id}  {harmless(record.title)}")
        say_wrapped(
            f"Started {date_and_time(record.started)}, last played {date_and_time(record.updated)}."
        )
        status = game.headline(play.state)
        say_wrapped(f"{harmless(status)}.")
        prompt = game.prompt(play.state)
        if prompt is not None:
            questions = [harmless(slot.question) for slot in Draft(command=prompt).slots]
            say_wrapped(" ".join(questions))
        say()
        page = game.overview(play)
        # The status was printed above already, and the page repeats it word for word.
        about = tuple(line for line in page.about if line != status)
        say_page(replace(page, about=about), title=False)

    def journal(
        self, which: GameNumber, everything: Everything = False, as_json: AsJson = False
    ) -> None:
        """Show all that happened in a {noun}, turn by turn.

        Example: {command} journal 12
        """
        record, game, play = load_game(which, self._kind)
        lines = journal_lines(game, play, everything)
        if as_json:
            say_json(journal_data(lines))
        else:
            say_journal(lines, record.title)

    def export(
        self,
        which: GameNumber,
        format: Annotated[
            Format | None, typer.Option("--format", help="A report, or jsonl for importing.")
        ] = None,
        output: Output = None,
        force: Force = False,
    ) -> None:
        """Write a {noun} as JSON Lines for importing, or a report of it.

        Without --format, the extension of FILE decides: .md, .txt or .jsonl, otherwise {form}.
        Reports leave out what is still sealed; JSON Lines hold everything.

        Example: {command} export 12 -o evening.md
        """
        record, entries = find_game(which, self._kind)
        if format is None:
            ending = PurePath(output or "").suffix.lower()
            format = _FORMAT_OF_ENDING.get(ending, self._default_format)
        if format is Format.JSONL:
            # The entries are copied without being replayed, so that a game that this version cannot
            # replay can be exported all the same.
            header = Header(game=record.game, title=record.title, started=record.started)
            data = b"".join(export(header, entries))
        else:
            data = _report(record, entries, format).encode("utf-8", "replace")
        file_name = self._export_name(record) + _ENDING_OF_FORMAT[format]
        deliver(data, output or "-", file_name, force, self._noun.capitalize())

    def _export_name(self, record: BattleRecord) -> str:
        """The name of an exported file without its ending: ``beach-head-3``, and
        ``battle-3-dog-beach`` from the commands of the flagship."""
        if self._kind is not BATTLE:
            return f"{record.game.replace('_', '-')}-{record.id}"
        from skirmish.games.plastic.army_file import slug

        return f"battle-{record.id}-{slug(record.title)}"

    def import_file(self, file: File) -> None:
        """Store a {noun} that was exported.

        Every order is decided again and must lead to what the file says. Where one does not, the
        entries before it are stored, the line is named, and the command ends with 1.

        Example: {command} import evening.jsonl
        """
        data, file_name = bytes_of(file, LARGEST_EXPORT, self._noun)
        lines = data.split(b"\n")
        kind = self._kind
        if kind is None:
            kind = _kind_in(lines[0])
        if kind is None:
            raise CommandError(f"{file_name}: this is no exported game; {known_games()}.")
        game = load(kind.id)
        try:
            imported = rebuilt(lines, game)  # refuses the file of a game of another kind
        except BadExport as error:
            raise CommandError(f"{file_name}: {error}") from None
        _store_imported(kind, game, imported)
        if imported.trouble:
            complain(f"{file_name}: {imported.trouble}")
            complain("The entries before that line were imported; the rest of the file was not.")
            raise typer.Exit(1)


def _say_playable_games() -> None:
    """Print a line for each game of the registry."""
    for kind in registry.all_games():
        words = f"{kind.id}  {harmless(kind.name)}. {harmless(kind.about)}"
        say_wrapped(words, hanging="  ")


def _record_data(record: BattleRecord) -> dict[str, Any]:
    """A stored game in a list for other programs."""
    return {
        "id": record.id,
        "title": record.title,
        "headline": record.headline,
        "over": record.over,
        "started": record.started,
        "updated": record.updated,
    }


def _list_rows(record: BattleRecord) -> Sequence[Sequence[str]]:
    """The rows of a stored game in a list for people: as many as its title and its status take."""
    first_title, *more_titles = folded(harmless(record.title), TITLE_WIDTH)
    first_status, *more_statuses = folded(harmless(record.headline), STATUS_WIDTH)
    rows = [[str(record.id), first_title, first_status, date(record.updated)]]
    for title, status in zip_longest(more_titles, more_statuses, fillvalue=""):
        rows.append(["", title, status, ""])
    return rows


def _kind_in(first_line: bytes) -> Listed | None:
    """The game that the first line of an exported file names; None if it names none."""
    try:
        header = msgspec.json.decode(first_line.removeprefix(BYTE_ORDER_MARK), type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    except RecursionError:  # JSON that is nested too deeply
        return None
    return listed(header.game)


def _report(record: BattleRecord, entries: Sequence[EntryRecord], format: Format) -> str:
    """The report of a stored game, to be read. Raises CommandError."""
    _, game, play = replayed(record, entries)
    if record.game == BATTLE.id:
        # A battle has a report of its own, with the day on which it was begun.
        from skirmish.games.plastic.report import report_page

        page = report_page(play, date_in_words(record.started))
    else:
        page = game.report(play)
    if format is Format.MARKDOWN:
        return as_markdown(page)
    return as_text(page)


def _store_imported(kind: Listed, game: Game[Any, Any, Any], imported: Rebuilt) -> None:
    """Store a game that was read from a file, and print the number that it got."""
    state = imported.play.state
    header = imported.header
    with open_store() as store:
        # Two games rarely start in the same second: one that did is probably this one, imported
        # before.
        same_start = [stored.id for stored in store.battles() if stored.started == header.started]
        record = store.add_battle(
            kind.id,
            header.title,
            game.headline(state),
            imported.entries,
            over=game.over(state),
            started=header.started,
        )
    entries = counted(len(imported.entries), "entry", "entries")
    say(f"Imported as number {record.id}: {harmless(record.title)}, {entries}.")
    say_wrapped(f"Status: {harmless(record.headline)}.")
    if same_start:
        subject = _numbers_were(sorted(same_start))
        say_wrapped(f"({subject} started at the same moment and may be the same {kind.noun}.)")


def _numbers_were(numbers: Sequence[int]) -> str:
    """``Number 3 was``, ``Numbers 1, 3 and 4 were``."""
    if len(numbers) == 1:
        return f"Number {numbers[0]} was"
    all_but_last = ", ".join(map(str, numbers[:-1]))
    return f"Numbers {all_but_last} and {numbers[-1]} were"


app = GameVerbs().add_to(typer.Typer())


@app.command()
def play(
    which: Annotated[
        str, typer.Argument(metavar="GAME|NUMBER", help="A game to begin, or one to go on with.")
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="An answer for the set-up."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Take the proposed answer for everything else.")
    ] = False,
) -> None:
    """Play a game line by line, without a full screen.

    The board and the question are printed as text, and each line that is typed is an answer.
    Everything is stored as it happens. The end of the input ends the session, not the game.

    Example: skirmish play 12 < answers.txt
    """
    with open_store() as store:
        # No game is called by a number, so a number always means a stored game.
        if which.isascii() and which.isdigit():
            record, _ = find_game(which, kind=None)
            if settings:
                raise CommandError(
                    f"--set {harmless(settings[0])[:40]}: game {which} is set up already. Without "
                    "--set it goes on; --set answers the set-up of a new game."
                )
            player = resumed(job_runner(store), load(record.game), record.id)
        else:
            player = new_game(store, which, settings or [], defaults)
        # Odds that cannot be computed are left out, and the game goes on; a log beside the database
        # has the reason.
        log_beside(lambda: find().path)
        player.run()


@app.command()
def follow(
    context: typer.Context,
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A game's number, or part of its title; by default the last one played.",
            show_default=False,
        ),
    ] = None,
    wall: Annotated[
        bool,
        typer.Option("--wall", help="Serve a page for a television or tablet in the network."),
    ] = False,
) -> None:
    """Watch a game that is being played elsewhere.

    It is played in another terminal or browser tab. Nothing can be changed from here, and hidden
    units are not shown. With --wall a television shows the map, both sides and each card.

    Example: skirmish follow overmatched
    """
    if wall:
        from skirmish.cli.serve import serve_wall

        serve_wall(_number_to_follow(which))
        return
    from skirmish.web import SERVED

    # In a browser tab the page is the terminal, although neither stream is one.
    has_terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if SERVED not in os.environ and not has_terminal:
        raise CommandError(
            "`skirmish follow` opens a full-screen app and needs a terminal; "
            "`skirmish show` and `skirmish journal` work without one."
        )
    # `run` gave typer the function that opens the full-screen app as the context's object.
    open_app: Callable[[int], None] = context.obj
    open_app(_number_to_follow(which))


def _number_to_follow(which: str | None) -> int:
    """The number of the game that is named, or else of the last one played. Raises CommandError."""
    if which is not None:
        return find_game(which, kind=None).record.id
    stored = stored_games(kind=None)
    if not stored:
        raise CommandError(f"There are no games in {find().location}, so there is none to follow.")
    last_played = stored[0]
    return last_played.id


@app.command()
def scores(
    which: Annotated[str, typer.Argument(metavar="GAME", help="Which game, as in the list.")],
    as_json: AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    Example: skirmish scores beach_head
    """
    kind = registry.named(which)
    if kind is None:
        raise CommandError(f"There is no game “{which}” with scores; {known_games()}.")
    say_scores(kind, as_json)


def say_scores(kind: Listed, as_json: bool, is_wanted: Callable[[Any], bool] | None = None) -> None:
    """Print the scores of the finished games of one kind; with ``is_wanted``, only of those whose
    last state it accepts."""
    game = load(kind.id)
    finished, unread = finished_games(game)
    sentence_if_none = "No game is finished yet."
    if is_wanted is not None:
        finished = [finished_game for finished_game in finished if is_wanted(finished_game.state)]
        sentence_if_none = "No game like that is finished yet."
    if as_json:
        say_json({"scores": score_rows(game.all_scores(finished)), "unread": unread})
        return
    page = game.scores(finished)
    if page is None:
        say(f"{game.name} has no scores.")
    elif not finished:
        say(sentence_if_none)
    else:
        say_page(page, title=False)
    for game_number in unread:
        complain(f"Game {game_number} cannot be read and is left out.")
