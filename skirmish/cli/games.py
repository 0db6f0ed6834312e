"""The commands that every game has, declared once: for all games together and for those of one
kind.

Only commands that write create the database.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from inspect import cleandoc
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

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
from skirmish.cli.line_play import begun, known_games, resumed, say_journal
from skirmish.extras import log_beside
from skirmish.registry import BATTLE, Listed, listed, load
from skirmish.store.errors import StoreError
from skirmish.store.place import find
from skirmish.store.records import BattleRecord, date, day, minute, pick
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
from skirmish.tabletop.journal import EntryRecord, Play, RecordError
from skirmish.tabletop.page_text import as_markdown, as_text, clipped, columns
from skirmish.tabletop.scores import score_rows

if TYPE_CHECKING:
    from skirmish.store.database import Store

LARGEST = 100_000_000
"""Bytes of a file to import; a long battle has some million."""
TITLE_WIDTH, STATUS_WIDTH = 26, 36
Number = Annotated[
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
    TEXT = "text"
    MARKDOWN = "markdown"
    JSONL = "jsonl"


_BY_ENDING = {".md": Format.MARKDOWN, ".markdown": Format.MARKDOWN, ".jsonl": Format.JSONL,
              ".txt": Format.TEXT}  # fmt: skip
_ENDING = {Format.TEXT: ".txt", Format.MARKDOWN: ".md", Format.JSONL: ".jsonl"}


def _nouns(kind: Listed | None) -> tuple[str, str]:
    return (kind.noun, kind.nouns) if kind else ("game", "games")


class GameVerbs:
    """``list``, ``show``, ``journal``, ``export`` and ``import``, for one ``kind`` of game or for
    all; ``command`` is typed before them. Their docstrings are their help."""

    def __init__(self, kind: Listed | None = None, command: str = "skirmish") -> None:
        self._kind = kind
        self._command = command
        self._noun, self._nouns = _nouns(kind)
        self._form = Format.TEXT if kind is BATTLE else Format.JSONL  # of an export

    def add_to(self, app: typer.Typer) -> typer.Typer:
        for verb in (self.list, self.show, self.journal, self.export, self.import_file):
            help = cleandoc(verb.__doc__ or "").format(
                noun=self._noun, nouns=self._nouns, command=self._command, form=self._form.value
            )
            app.command(verb.__name__.removesuffix("_file"), help=help)(verb)
        return app

    def list(self, as_json: AsJson = False) -> None:
        """List your {nouns}, the most recently played first.

        Example: {command} list
        """
        kind, found = self._kind, stored_games(self._kind)
        if as_json and kind is not None:
            say_json([_listed(one) for one in found])
        elif as_json:
            known = [
                {"id": one.id, "name": one.name, "about": one.about} for one in registry.every()
            ]
            say_json(
                {"games": known, "stored": [{"game": one.game} | _listed(one) for one in found]}
            )
        elif kind is None:
            for line in registry.every():
                say(f"{line.id}  {harmless(line.name)}. {harmless(line.about)}")
            if found:
                say()
        elif not found:
            of = "" if kind is BATTLE else f" of {kind.name}"
            say(f"There are no {self._nouns}{of} in {find().location}.")
            say("Run `skirmish` to start one.")
        if found and not as_json:
            head = ("", self._noun.capitalize(), "Status", "Played")
            say("\n".join(columns([head, *map(_row, found)], (0,))))

    def show(self, game: Number, as_json: AsJson = False) -> None:
        """Show how a {noun} stands.

        Example: {command} show 12
        """
        record, played, play = load_game(game, self._kind)
        if as_json:
            head = {"game": record.game} | _listed(record) | played.facts(play)
            say_json(head | {"page": to_builtins(played.page(play.state))})
            return
        say(f"{record.id}  {harmless(record.title)}")
        say_wrapped(f"Started {minute(record.started)}, last played {minute(record.updated)}.")
        status = played.headline(play.state)
        say_wrapped(f"{harmless(status)}.")
        if prompt := played.prompt(play.state):
            say_wrapped(" ".join(harmless(slot.question) for slot in Draft(command=prompt).slots))
        say()
        page = played.overview(play)
        more = tuple(line for line in page.about if line != status)
        say_page(replace(page, about=more), title=False)

    def journal(
        self, game: Number, everything: Everything = False, as_json: AsJson = False
    ) -> None:
        """Show all that happened in a {noun}, turn by turn.

        Example: {command} journal 12
        """
        record, played, play = load_game(game, self._kind)
        lines = played.all_lines(play) if everything else played.journal(play)
        if as_json:
            say_json(journal_data(lines))
        else:
            say_journal(lines, record.title)

    def export(
        self,
        game: Number,
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
        ending = PurePath(output or "").suffix.lower()
        form = form or _BY_ENDING.get(ending, self._form)
        if form is Format.JSONL:
            header = Header(game=record.game, title=record.title, started=record.started)
            data = b"".join(export(header, entries))  # even if they cannot be read
        else:
            data = _report(record, entries, form).encode("utf-8", "replace")
        stem = f"{record.game.replace('_', '-')}-{record.id}"
        if self._kind is BATTLE:
            from skirmish.games.plastic.army_file import slug

            stem = f"battle-{record.id}-{slug(record.title)}"
        deliver(data, output or "-", f"{stem}{_ENDING[form]}", force, self._noun.capitalize())

    def import_file(self, file: File) -> None:
        """Store a {noun} that was exported.

        Every order is decided again and must lead to what the file says. Where one does not, the
        entries before it are stored, the line is named, and the command ends with 1.

        Example: {command} import evening.jsonl
        """
        data, called = bytes_of(file, LARGEST, self._noun)
        lines, kind = data.split(b"\n"), self._kind
        if kind is None:
            with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                head = lines[0].removeprefix(b"\xef\xbb\xbf")
                kind = listed(msgspec.json.decode(head, type=Header).game)
        if kind is None:
            raise CommandError(f"{called}: this is no exported game; {known_games()}.")
        game = load(kind.id)
        try:
            found = rebuilt(lines, game)
        except BadExport as error:
            raise CommandError(f"{called}: {error}") from None
        _store_imported(kind, game, found)
        if found.trouble:
            complain(f"{called}: {found.trouble}")
            complain("The entries before that line were imported; the rest of the file was not.")
            raise typer.Exit(1)


def journal_data(lines: Sequence[JournalLine]) -> list[dict[str, Any]]:
    return [
        {
            "number": line.number,
            "turn": line.turn,
            "entries": line.numbers,
            "says": line.text,
            "void": line.void,
            "taken_back": line.undone,
        }
        for line in lines
    ]


def _report(record: BattleRecord, entries: Sequence[EntryRecord], form: Format) -> str:
    game, play = _loaded(record, entries)
    if record.game != BATTLE.id:
        page = game.report(play)
    else:
        from skirmish.games.plastic.report import report_page

        page = report_page(play, day(record.started))
    return as_markdown(page) if form is Format.MARKDOWN else as_text(page)


def _store_imported(kind: Listed, game: Game[Any, Any, Any], found: Rebuilt) -> None:
    state, header = found.play.state, found.header
    with open_store() as store:
        same = sorted(one.id for one in store.battles() if one.started == header.started)
        record = store.add_battle(
            kind.id,
            header.title,
            game.headline(state),
            found.entries,
            over=game.over(state),
            started=header.started,
        )
    entries = number(len(found.entries), "entry", "entries")
    say(f"Imported as number {record.id}: {harmless(record.title)}, {entries}.")
    say_wrapped(f"Status: {harmless(record.headline)}.")
    if same:
        which = f"Number {same[0]} was"
        if len(same) > 1:
            which = f"Numbers {', '.join(map(str, same[:-1]))} and {same[-1]} were"
        say_wrapped(f"({which} started at the same moment and may be the same {kind.noun}.)")


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
        if game.isascii() and game.isdigit():
            record, _ = find_game(game, None)
            if settings:
                raise CommandError(
                    f"--set {harmless(settings[0])[:40]}: game {game} is set up already. Without "
                    "--set it goes on; --set answers the set-up of a new game."
                )
            session = resumed(store, load(record.game), record.id)
        else:
            session = begun(store, game, settings or [], defaults)
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
) -> None:
    """Watch a game that is being played elsewhere.

    It is played in another terminal or browser tab. Nothing can be changed from here, and hidden
    units are not shown.

    Example: skirmish follow overmatched
    """
    from skirmish.web import SERVED

    if SERVED not in os.environ and not all(s.isatty() for s in (sys.stdin, sys.stdout)):
        raise CommandError(
            "`skirmish follow` opens a full-screen app and needs a terminal; "
            "`skirmish show` and `skirmish journal` work without one."
        )
    if game is not None:
        record, _ = find_game(game, None)
    elif stored := stored_games(None):
        record = stored[0]
    else:
        raise CommandError(f"There are no games in {find().location}, so there is none to follow.")
    context.obj(record.id)


@app.command()
def scores(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game, as in the list.")],
    as_json: AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    Example: skirmish scores beach_head
    """
    found = registry.named(game)
    if found is None:
        raise CommandError(f"There is no game “{game}” with scores; {known_games()}.")
    say_scores(found, as_json)


def say_scores(kind: Listed, as_json: bool, wanted: Callable[[Any], bool] | None = None) -> None:
    """The scores of one game, where ``wanted`` is given of the last states that it takes."""
    game, unread = load(kind.id), list[int]()
    with existing_store() as store:
        found = [] if store is None else list(store.finished(game, unread=unread))
    found = [one for one in found if wanted is None or wanted(one[2])]
    if as_json:
        say_json({"scores": score_rows(game.all_scores(found)), "unread": unread})
        return
    page = game.scores(found)
    if page is None:
        say(f"{game.name} has no scores.")
    elif not found:
        say(f"No game{' like that' if wanted else ''} is finished yet.")
    else:
        say_page(page, title=False)
    for one in unread:
        complain(f"Game {one} cannot be read and is left out.")


# ------------------------------------------------------------------ stored games


@contextmanager
def existing_store() -> Iterator[Store | None]:
    """The store; None where there is no database yet."""
    path = find().path
    try:
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
    from skirmish.store.database import Store

    return Store.open()


def stored_games(kind: Listed | None) -> list[BattleRecord]:
    """The games of one kind, or of any known kind, the last one changed first."""
    with existing_store() as store:
        return [] if store is None else [one for one in store.battles() if _is_of(kind, one)]


def find_game(ref: str, kind: Listed | None) -> tuple[BattleRecord, list[EntryRecord]]:
    """The stored game named ``ref``: by its number, its title or a part of it. Raises StoreError,
    and CommandError where ``ref`` names a game of another kind."""
    with existing_store() as store:
        known = [] if store is None else store.battles()
        own = [record for record in known if _is_of(kind, record)]
        try:
            chosen = _picked(ref, own, kind)
        except StoreError:
            if other := _of_another_kind(ref, known, kind):
                raise CommandError(other) from None
            raise
        assert store is not None
        return next(one for one in own if one.id == chosen), store.entries(chosen)


def load_game(
    ref: str, kind: Listed | None
) -> tuple[BattleRecord, Game[Any, Any, Any], Play[Any, Any, Any]]:
    """The stored game named ``ref``, replayed. Raises StoreError and CommandError."""
    record, entries = find_game(ref, kind)
    return record, *_loaded(record, entries)


def _loaded(
    record: BattleRecord, entries: Sequence[EntryRecord]
) -> tuple[Game[Any, Any, Any], Play[Any, Any, Any]]:
    game = load(record.game or BATTLE.id)
    try:
        play = game.codec.replay(entries)
        guarded(lambda: game.look_at(play.state), "the game cannot be shown")
    except (RecordError, InvalidData) as error:
        noun = (listed(record.game) or BATTLE).noun.capitalize()
        raise CommandError(f"{noun} {record.id} cannot be read: {error}") from None
    return game, play


def _listed(record: BattleRecord) -> dict[str, Any]:
    names = ("id", "title", "headline", "over", "started", "updated")
    return {name: getattr(record, name) for name in names}


def _row(record: BattleRecord) -> tuple[str, ...]:
    title, status = harmless(record.title), harmless(record.headline)
    cut = clipped(title, TITLE_WIDTH), clipped(status, STATUS_WIDTH)
    return str(record.id), *cut, date(record.updated)


def _picked(ref: str, known: Sequence[BattleRecord], kind: Listed | None) -> int:
    return pick(ref, [(one.id, one.title) for one in known], *_nouns(kind))


def _is_of(kind: Listed | None, record: BattleRecord) -> bool:
    """A record whose game cannot be read counts as a battle, so that some list shows it."""
    if kind is None:
        return not record.game or listed(record.game) is not None
    return record.game == kind.id or (kind is BATTLE and not record.game)


def _of_another_kind(ref: str, known: Sequence[BattleRecord], kind: Listed | None) -> str:
    """The sentence for a game of another kind; empty where ``ref`` names none."""
    with suppress(StoreError):
        chosen = _picked(ref, known, None)
        other = listed(next(one.game for one in known if one.id == chosen))
        if other is None:
            return f"Number {chosen} is a game that this program does not know."
        if kind is not None:
            return (
                f"Number {chosen} is a {other.noun} of {other.name}, not a {kind.noun} of "
                f"{kind.name}; `{other.show} {chosen}` shows it."
            )
    return ""
