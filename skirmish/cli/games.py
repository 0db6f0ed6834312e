"""The commands that every game has, declared once: for all games together and for those of one
kind.

Only commands that write create the database.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from inspect import cleandoc
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import typer
from msgspec import to_builtins
from msgspec.structs import replace

from skirmish import registry
from skirmish.cli.console import (
    CommandError,
    complain,
    harmless,
    number,
    say,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.cli.files import AsJson, Force, Output, bytes_of, deliver
from skirmish.cli.line_play import known_games, new_game, resumed, say_journal
from skirmish.extras import log_beside
from skirmish.registry import BATTLE, Listed, listed, load
from skirmish.store.errors import StoreError
from skirmish.store.names import pick
from skirmish.store.place import find
from skirmish.store.records import BattleRecord
from skirmish.store.times import date, day, minute
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.exported import (
    BadExport,
    Header,
    InvalidData,
    Rebuilt,
    export,
    guarded,
    rebuilt,
)
from skirmish.tabletop.game import Game, JournalLine
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import EntryRecord, RecordError
from skirmish.tabletop.page_markdown import as_markdown
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.scores import FinishedGame, score_rows
from skirmish.tabletop.text_width import clipped, columns

if TYPE_CHECKING:
    from skirmish.store.database import Store

LARGEST = 100_000_000
"""Bytes of a file to import; a long battle has some million."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors begin a file with it."""
TITLE_WIDTH, STATUS_WIDTH = 26, 36
"""The most characters of a title and of a status in a list, which has 80 columns."""
GameNumber = Annotated[
    str,
    typer.Argument(
        metavar="N", help="The number of a game, or part of its title.", show_default=False
    ),
]
File = Annotated[
    str,
    typer.Argument(
        metavar="FILE|-", help="An exported game in JSON Lines; - is stdin.", show_default=False
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="Include void and undone lines.")]


class Format(StrEnum):
    """The form of an export: a report to read, or JSON Lines that can be imported again."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSONL = "jsonl"


_FORM_OF_ENDING = {
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".jsonl": Format.JSONL,
    ".txt": Format.TEXT,
}
"""The form of a report by the ending of the file that was asked for."""
_ENDING_OF_FORM = {Format.TEXT: ".txt", Format.MARKDOWN: ".md", Format.JSONL: ".jsonl"}
"""The ending of a file whose name the program chooses."""


class NounForms(NamedTuple):
    """What a game is called, and several of them: ``battle``, ``battles``."""

    noun: str
    nouns: str


def _noun_forms(kind: Listed | None) -> NounForms:
    """What games of one kind are called; those of all kinds together are games."""
    if kind is None:
        return NounForms("game", "games")
    return NounForms(kind.noun, kind.nouns)


class GameVerbs:
    """The commands ``list``, ``show``, ``journal``, ``export`` and ``import``, for one ``kind`` of
    game or for all; ``command`` is typed before them. Their docstrings are their help."""

    def __init__(self, kind: Listed | None = None, command: str = "skirmish") -> None:
        self._kind = kind
        self._command = command
        self._noun, self._nouns = _noun_forms(kind)
        self._form = Format.JSONL
        """The form of an export, unless it is named or the file's ending shows it."""
        if kind is BATTLE:
            # A battle is mostly exported to be read; scripts rely on getting its report.
            self._form = Format.TEXT

    def add_to(self, app: typer.Typer) -> typer.Typer:
        """Add the verbs to a command line, with their docstrings as help."""
        for verb in (self.list, self.show, self.journal, self.export, self.import_file):
            help = cleandoc(verb.__doc__ or "").format(
                noun=self._noun, nouns=self._nouns, command=self._command, form=self._form.value
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
            for kind in registry.all_games():
                say(f"{kind.id}  {harmless(kind.name)}. {harmless(kind.about)}")
            if records:
                say()
        elif not records:
            self._say_there_are_none(self._kind)
        if records:
            rows = [("", self._noun.capitalize(), "Status", "Played")]
            rows.extend(_list_row(record) for record in records)
            say("\n".join(columns(rows, right=(0,))))

    def _say_there_are_none(self, kind: Listed) -> None:
        """The sentences where no game of this kind is stored."""
        of_game = ""
        if kind is not BATTLE:  # "battles" says of which game they are
            of_game = f" of {kind.name}"
        say(f"There are no {self._nouns}{of_game} in {find().location}.")
        say("Run `skirmish` to start one.")

    def _list_as_json(self, records: Sequence[BattleRecord]) -> None:
        """The stored games of one kind; of all kinds, with the games that there are."""
        if self._kind is not None:
            say_json([_record_data(record) for record in records])
            return
        games = []
        for kind in registry.all_games():
            games.append({"id": kind.id, "name": kind.name, "about": kind.about})
        stored = [{"game": record.game} | _record_data(record) for record in records]
        say_json({"games": games, "stored": stored})

    def show(self, game: GameNumber, as_json: AsJson = False) -> None:
        """Show how a {noun} stands.

        Example: {command} show 12
        """
        record, played_game, play = load_game(game, self._kind)
        if as_json:
            head = {"game": record.game} | _record_data(record) | played_game.facts(play)
            say_json(head | {"page": to_builtins(played_game.page(play.state))})
            return
        say(f"{record.id}  {harmless(record.title)}")
        say_wrapped(f"Started {minute(record.started)}, last played {minute(record.updated)}.")
        status = played_game.headline(play.state)
        say_wrapped(f"{harmless(status)}.")
        prompt = played_game.prompt(play.state)
        if prompt is not None:
            questions = [harmless(slot.question) for slot in Draft(command=prompt).slots]
            say_wrapped(" ".join(questions))
        say()
        page = played_game.overview(play)
        about = tuple(line for line in page.about if line != status)  # which stands above already
        say_page(replace(page, about=about), title=False)

    def journal(
        self, game: GameNumber, everything: Everything = False, as_json: AsJson = False
    ) -> None:
        """Show all that happened in a {noun}, turn by turn.

        Example: {command} journal 12
        """
        record, played_game, play = load_game(game, self._kind)
        lines = journal_lines(played_game, play, everything)
        if as_json:
            say_json(journal_data(lines))
        else:
            say_journal(lines, record.title)

    def export(
        self,
        game: GameNumber,
        form: Annotated[
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
        record, entries = find_game(game, self._kind)
        if form is None:
            ending = PurePath(output or "").suffix.lower()
            form = _FORM_OF_ENDING.get(ending, self._form)
        if form is Format.JSONL:
            header = Header(game=record.game, title=record.title, started=record.started)
            data = b"".join(export(header, entries))  # even if they cannot be read
        else:
            data = _report(record, entries, form).encode("utf-8", "replace")
        file_name = self._export_name(record) + _ENDING_OF_FORM[form]
        deliver(data, output or "-", file_name, force, self._noun.capitalize())

    # A battle is called so at the table; a game of another kind by its name.
    def _export_name(self, record: BattleRecord) -> str:
        """The name of an exported file without its ending: ``beach-head-3``."""
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
        data, file_name = bytes_of(file, LARGEST, self._noun)
        lines = data.split(b"\n")
        kind = self._kind or _kind_in(lines[0])
        if kind is None:
            raise CommandError(f"{file_name}: this is no exported game; {known_games()}.")
        game = load(kind.id)
        try:
            imported = rebuilt(lines, game)
        except BadExport as error:
            raise CommandError(f"{file_name}: {error}") from None
        _store_imported(kind, game, imported)
        if imported.trouble:
            complain(f"{file_name}: {imported.trouble}")
            complain("The entries before that line were imported; the rest of the file was not.")
            raise typer.Exit(1)


def _kind_in(first_line: bytes) -> Listed | None:
    """The game that the first line of an exported file names; None if it names none."""
    try:
        header = msgspec.json.decode(first_line.removeprefix(_BYTE_ORDER_MARK), type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # nested without end
        return None
    return listed(header.game)


def journal_lines(
    game: Game[Any, Any, Any], play: Play[Any, Any, Any], everything: bool
) -> list[JournalLine]:
    """The lines of a journal; with ``everything`` also those that no longer count."""
    if everything:
        return game.all_lines(play)
    return game.journal(play)


def journal_data(lines: Sequence[JournalLine]) -> list[dict[str, Any]]:
    """The lines of a journal for other programs."""
    return [
        {
            "number": line.number,
            "turn": line.turn,
            "entries": line.entry_numbers,
            "says": line.text,
            "void": line.void,
            "taken_back": line.undone,
        }
        for line in lines
    ]


def _report(record: BattleRecord, entries: Sequence[EntryRecord], form: Format) -> str:
    """The report of a stored game, to be read. Raises CommandError."""
    _, game, play = _loaded(record, entries)
    if record.game != BATTLE.id:
        page = game.report(play)
    else:
        from skirmish.games.plastic.report import report_page

        page = report_page(play, day(record.started))
    if form is Format.MARKDOWN:
        return as_markdown(page)
    return as_text(page)


def _store_imported(kind: Listed, game: Game[Any, Any, Any], imported: Rebuilt) -> None:
    """Store a game that was read from a file, and say under which number."""
    state = imported.play.state
    header = imported.header
    with open_store() as store:
        # The same game, imported before: two of them rarely start in the same second.
        twins = sorted(stored.id for stored in store.battles() if stored.started == header.started)
        record = store.add_battle(
            kind.id,
            header.title,
            game.headline(state),
            imported.entries,
            over=game.over(state),
            started=header.started,
        )
    entries = number(len(imported.entries), "entry", "entries")
    say(f"Imported as number {record.id}: {harmless(record.title)}, {entries}.")
    say_wrapped(f"Status: {harmless(record.headline)}.")
    if twins:
        say_wrapped(
            f"({_numbered(twins)} started at the same moment and may be the same {kind.noun}.)"
        )


def _numbered(numbers: Sequence[int]) -> str:
    """``Number 3 was``, ``Numbers 1, 3 and 4 were``."""
    if len(numbers) == 1:
        return f"Number {numbers[0]} was"
    all_but_last = ", ".join(map(str, numbers[:-1]))
    return f"Numbers {all_but_last} and {numbers[-1]} were"


app = GameVerbs().add_to(typer.Typer())


@app.command()
def play(
    game: Annotated[
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
        # No game has a number as its name, so that a number is always a stored one.
        if game.isascii() and game.isdigit():
            record, _ = find_game(game, None)
            if settings:
                raise CommandError(
                    f"--set {harmless(settings[0])[:40]}: game {game} is set up already. Without "
                    "--set it goes on; --set answers the set-up of a new game."
                )
            session = resumed(store, load(record.game), record.id)
        else:
            session = new_game(store, game, settings or [], defaults)
        # Odds that fail end no evening; why they failed stands in the log.
        log_beside(lambda: find().path)
        session.run()


@app.command()
def follow(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
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

        serve_wall(_followed(game))
        return
    from skirmish.web import SERVED

    # In a tab of a browser the page is the terminal, and neither stream is one.
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if SERVED not in os.environ and not is_terminal:
        raise CommandError(
            "`skirmish follow` opens a full-screen app and needs a terminal; "
            "`skirmish show` and `skirmish journal` work without one."
        )
    # The command line has the function that opens the app as its object.
    context.obj(_followed(game))


def _followed(game: str | None) -> int:
    """The number of the game to follow. Raises CommandError."""
    if game is not None:
        record, _ = find_game(game, None)
        return int(record.id)
    stored = stored_games(None)
    if not stored:
        raise CommandError(f"There are no games in {find().location}, so there is none to follow.")
    last_played = stored[0]
    return int(last_played.id)


@app.command()
def scores(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game, as in the list.")],
    as_json: AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    Example: skirmish scores beach_head
    """
    kind = registry.named(game)
    if kind is None:
        raise CommandError(f"There is no game “{game}” with scores; {known_games()}.")
    say_scores(kind, as_json)


def say_scores(kind: Listed, as_json: bool, wanted: Callable[[Any], bool] | None = None) -> None:
    """Print the scores of one game; with ``wanted``, only of the games whose last state it
    accepts."""
    game = load(kind.id)
    finished, unread = finished_games(game)
    none_finished = "No game is finished yet."
    if wanted is not None:
        finished = [finished_game for finished_game in finished if wanted(finished_game.state)]
        none_finished = "No game like that is finished yet."
    if as_json:
        say_json({"scores": score_rows(game.all_scores(finished)), "unread": unread})
        return
    page = game.scores(finished)
    if page is None:
        say(f"{game.name} has no scores.")
    elif not finished:
        say(none_finished)
    else:
        say_page(page, title=False)
    for game_number in unread:
        complain(f"Game {game_number} cannot be read and is left out.")


class FinishedGames(NamedTuple):
    """The finished games of one kind, and the numbers of those that cannot be read."""

    games: list[FinishedGame]
    unread: list[int]


def finished_games(game: Game[Any, Any, Any]) -> FinishedGames:
    """All finished games of one kind that are stored. Raises StoreError."""
    unread: list[int] = []
    with existing_store() as store:
        if store is None:
            return FinishedGames([], unread)
        finished = list(store.finished(game, when_unreadable=unread.append))
    return FinishedGames(finished, unread)


# ------------------------------------------------------------------ stored games


@contextmanager
def existing_store() -> Iterator[Store | None]:
    """The store; None where there is no database yet."""
    path = find().path  # None: the database is in memory
    try:
        # Opening the store would create the file, which a command that only reads must not do.
        if path is not None:
            path.stat()
    except FileNotFoundError:
        yield None
        return
    except OSError:
        pass  # opening the store raises the reason
    with open_store() as store:
        yield store


def open_store() -> Store:
    """The store, created or migrated if needed. Raises StoreError."""
    from skirmish.store.database import Store

    return Store.open()


def stored_games(kind: Listed | None) -> list[BattleRecord]:
    """The games of one kind, or of any known kind, the last one changed first."""
    with existing_store() as store:
        if store is None:
            return []
        return [record for record in store.battles() if _is_of(kind, record)]


class RecordedGame(NamedTuple):
    """A stored game, with its journal as it is stored."""

    record: BattleRecord
    entries: list[EntryRecord]


def find_game(name_or_number: str, kind: Listed | None) -> RecordedGame:
    """A stored game by its number, its title or a part of that. Raises StoreError, and CommandError
    for a game of another kind."""
    with existing_store() as store:
        records: Sequence[BattleRecord] = ()
        if store is not None:
            records = store.battles()
        of_kind = {record.id: record for record in records if _is_of(kind, record)}
        try:
            picked = _picked(name_or_number, list(of_kind.values()), kind)
        except StoreError:
            sentence = _of_another_kind(name_or_number, records, kind)
            if sentence:
                raise CommandError(sentence) from None
            raise
        assert store is not None  # or nothing could have been picked
        return RecordedGame(of_kind[picked], store.entries(picked))


class LoadedGame(NamedTuple):
    """A stored game that can be looked at: the game that is played, and all that happened."""

    record: BattleRecord
    game: Game[Any, Any, Any]
    play: Play[Any, Any, Any]


def load_game(name_or_number: str, kind: Listed | None) -> LoadedGame:
    """A stored game, found as by ``find_game``, and replayed. Raises StoreError and
    CommandError."""
    stored = find_game(name_or_number, kind)
    return _loaded(stored.record, stored.entries)


def _loaded(record: BattleRecord, entries: Sequence[EntryRecord]) -> LoadedGame:
    """A stored game, replayed from its entries. Raises CommandError where that fails, or where the
    game that comes of it cannot be shown."""
    game = load(record.game or BATTLE.id)
    try:
        play = game.codec.replay(entries)
        # An edited file may lead to a state that the rules bear and no page can show.
        guarded(lambda: game.check_screens(play.state), "the game cannot be shown")
    except (RecordError, InvalidData) as error:
        noun = (listed(record.game) or BATTLE).noun.capitalize()
        raise CommandError(f"{noun} {record.id} cannot be read: {error}") from None
    return LoadedGame(record, game, play)


def _record_data(record: BattleRecord) -> dict[str, Any]:
    """A stored game in a list for other programs."""
    names = ("id", "title", "headline", "over", "started", "updated")
    return {name: getattr(record, name) for name in names}


def _list_row(record: BattleRecord) -> tuple[str, str, str, str]:
    """A stored game in a list for people."""
    title = clipped(harmless(record.title), TITLE_WIDTH)
    status = clipped(harmless(record.headline), STATUS_WIDTH)
    return str(record.id), title, status, date(record.updated)


def _picked(name_or_number: str, records: Sequence[BattleRecord], kind: Listed | None) -> int:
    """The number of the game that is meant; raises StoreError for none or several."""
    titles = [(record.id, record.title) for record in records]
    return pick(name_or_number, titles, *_noun_forms(kind))


def _is_of(kind: Listed | None, record: BattleRecord) -> bool:
    """Whether a stored game is of one kind, or of any known kind. A record that cannot be read
    names no game; it counts as a battle, so that some list shows it."""
    if kind is None:
        return not record.game or listed(record.game) is not None
    return record.game == kind.id or (kind is BATTLE and not record.game)


def _of_another_kind(
    name_or_number: str, records: Sequence[BattleRecord], kind: Listed | None
) -> str:
    """The sentence for a game of another kind; empty where no game is meant."""
    try:
        chosen = _picked(name_or_number, records, None)
    except StoreError:
        return ""
    games = {record.id: record.game for record in records}
    its_kind = listed(games[chosen])
    if its_kind is None:
        return f"Number {chosen} is a game that this program does not know."
    if kind is None:
        return ""
    return (
        f"Number {chosen} is a {its_kind.noun} of {its_kind.name}, not a {kind.noun} of "
        f"{kind.name}; `{its_kind.show} {chosen}` shows it."
    )
