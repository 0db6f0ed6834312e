"""``skirmish play`` and its neighbours: any game of the registry without a full screen.

The board and the question are printed as text, and each line that is typed is an answer. It is the
way for screen readers, for pipes and for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish import registry
from skirmish.cli.line_play import LineSession, begun, known_games, say_journal
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import (
    Complaint,
    clipped,
    columns,
    complain,
    harmless,
    say,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.registry import Listed, listed, load
from skirmish.tabletop.reading import suggest

if TYPE_CHECKING:
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.exported import EntryRecord
    from skirmish.tabletop.game import Game
    from skirmish.tabletop.journal import Play

LARGEST = 100_000_000
"""Bytes of a file to import; a long battle has some million."""
TITLE_WIDTH, STANDS_WIDTH = 26, 36
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
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON, for other programs.")]


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

    Everything is stored as it happens. The end of the input ends the session, not the game.

    Example: skirmish play 12 < answers.txt
    """
    from skirmish.cli.kept import called, open_store

    with open_store() as store:
        if game.isascii() and game.isdigit():
            record, _ = called(game, None)
            if settings:
                raise Complaint(
                    f"--set {harmless(settings[0])[:40]}: game {game} is set up already. Without "
                    "--set it goes on; --set answers the set-up of a new game."
                )
            session = LineSession(store, load(record.game), record.id)
        else:
            session = begun(store, game, settings or [], defaults)
        session.run()


def list_games(as_json: AsJson = False) -> None:
    """List the games that can be played, and those that are stored.

    Example: skirmish list
    """
    if as_json:
        from skirmish.cli.kept import listed as as_listed
        from skirmish.cli.kept import records

        games = [{"id": one.id, "name": one.name, "about": one.about} for one in registry.every()]
        stored = [{"game": one.game} | as_listed(one) for one in records(None)]
        say_json({"games": games, "stored": stored})
        return
    for one in registry.every():
        say(f"{one.id}  {harmless(one.name)}. {harmless(one.about)}")
    _say_stored(None)


def _say_stored(kind: Listed | None) -> bool:
    """A table of stored games, of one kind or of all; whether there are any."""
    from skirmish.cli.kept import records
    from skirmish.store.moments import date

    found = records(kind)
    if found and kind is None:
        say()
    rows = []
    for one in found:
        title, stands = harmless(one.title), harmless(one.headline)
        cut = clipped(title, TITLE_WIDTH), clipped(stands, STANDS_WIDTH)
        rows.append((str(one.id), *cut, date(one.updated)))
    if rows:
        noun = (kind.noun if kind else "game").capitalize()
        say("\n".join(columns([("", noun, "Status", "Played"), *rows], (0,))))
    return bool(rows)


def show(number: Number, as_json: AsJson = False) -> None:
    """Show how a game stands.

    Example: skirmish show 12
    """
    _show(number, None, as_json)


def _show(ref: str, kind: Listed | None, as_json: bool) -> None:
    from skirmish.cli.kept import listed as as_listed
    from skirmish.store.moments import minute
    from skirmish.tabletop.commands import Draft

    record, game, found = looked_up(ref, kind)
    if as_json:
        from msgspec import to_builtins

        head = {"game": record.game} | as_listed(record) | game.facts(found)
        say_json(head | {"page": to_builtins(game.page(found.state))})
        return
    say(f"{record.id}  {harmless(record.title)}")
    say_wrapped(f"Started {minute(record.started)}, last played {minute(record.updated)}.")
    stands = harmless(game.headline(found.state))
    say_wrapped(f"{stands[:1].upper()}{stands[1:]}.")
    if prompt := game.prompt(found.state):
        say_wrapped(" ".join(harmless(slot.text) for slot in Draft(command=prompt).slots))
    say()
    say_page(game.overview(found), title=False)


def journal(number: Number, as_json: AsJson = False) -> None:
    """Show all that happened in a game, turn by turn.

    Example: skirmish journal 12
    """
    _journal(number, None, as_json)


def _journal(ref: str, kind: Listed | None, as_json: bool) -> None:
    record, game, found = looked_up(ref, kind)
    lines = game.journal(found)
    if as_json:
        say_json([{"number": one.number, "turn": one.turn, "says": one.words} for one in lines])
    else:
        say_journal(lines, record.title)


def scores(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game, as in the list.")],
    as_json: AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    Example: skirmish scores beach_head
    """
    found = listed(game)
    if found is None:
        raise Complaint(f"There is no game {game!r} with scores; {known_games()}.")
    say_scores(found, as_json)


def say_scores(kind: Listed, as_json: bool, wanted: Callable[[Any], bool] | None = None) -> None:
    """The scores of one game, where ``wanted`` is given of the last states that it takes."""
    from skirmish.cli.kept import looking
    from skirmish.store.finished import finished
    from skirmish.tabletop.scores import score_rows

    game, unread = load(kind.id), list[int]()
    with looking() as store:
        found = [] if store is None else list(finished(store, game, unread=unread))
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


def export(number: Number, output: Output = None, force: Force = False) -> None:
    """Write a game whole, as JSON Lines for another program.

    Example: skirmish export 12 -o evening.jsonl
    """
    _export(number, None, output, force)


def _export(ref: str, kind: Listed | None, output: str | None, force: bool) -> None:
    from skirmish.cli.files import deliver
    from skirmish.cli.kept import called

    record, entries = called(ref, kind)
    name = f"{record.game.replace('_', '-')}-{record.id}.jsonl"
    deliver(exported(record, entries), output or "-", name, force, "Game")


def exported(record: BattleRecord, entries: Sequence[EntryRecord]) -> bytes:
    """A game as JSON Lines, as it is stored, even if it cannot be read."""
    from skirmish.tabletop import exported

    header = exported.Header(game=record.game, title=record.title, started=record.started)
    return b"".join(exported.export(header, entries))


def import_game(file: File) -> None:
    """Store a game that was exported.

    Every order is decided again and must lead to what the file says. Where one does not, the
    entries before it are stored, the line is named, and the command ends with 1.

    Example: skirmish import evening.jsonl
    """
    _import(file, None)


def _import(file: str, kind: Listed | None) -> None:
    import msgspec

    from skirmish.cli.files import bytes_of
    from skirmish.cli.kept import kept_as
    from skirmish.tabletop.exported import BadExport, Header, rebuilt

    data, called = bytes_of(file, LARGEST, kind.noun if kind else "game")
    lines = data.split(b"\n")
    if kind is None:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            head = lines[0].removeprefix(b"\xef\xbb\xbf")
            kind = listed(msgspec.json.decode(head, type=Header).game)
    if kind is None:
        raise Complaint(f"{called}: this is no exported game; {known_games()}.")
    game = load(kind.id)
    try:
        found = rebuilt(lines, game)
    except BadExport as error:
        raise Complaint(f"{called}: {error}") from None
    state = found.play.state
    kept_as(kind, found, called, game.headline(state), over=game.over(state))


def group(kind: Listed, help: str, command: str, without: str = "") -> typer.Typer:
    """The same commands for one game under its own ``command``, to which more may be added."""
    app = typer.Typer(help=help, no_args_is_help=True, rich_markup_mode=None)
    example = f"Example: skirmish {command}"

    def list_own(as_json: AsJson = False) -> None:
        from skirmish.cli.kept import listed as as_listed
        from skirmish.cli.kept import records
        from skirmish.store.place import find

        if as_json:
            say_json([as_listed(record) for record in records(kind)])
        elif not _say_stored(kind):
            of = "" if kind is registry.BATTLE else f" of {kind.name}"
            say(f"There are no {kind.nouns}{of} in {find().location}.")
            say("Run `skirmish` to start one.")

    def show_own(game: Number, as_json: AsJson = False) -> None:
        _show(game, kind, as_json)

    def journal_own(game: Number, as_json: AsJson = False) -> None:
        _journal(game, kind, as_json)

    def export_own(game: Number, output: Output = None, force: Force = False) -> None:
        _export(game, kind, output, force)

    def import_own(file: File) -> None:
        _import(file, kind)

    nouns = kind.nouns
    for name, does, about, sample in (
        ("list", list_own, f"List your {nouns}, the most recently played first.", ""),
        ("show", show_own, f"Show how a {kind.noun} stands.", " 3"),
        ("journal", journal_own, f"Show all that happened in a {kind.noun}, turn by turn.", " 3"),
        ("export", export_own, f"Export a whole {kind.noun} as JSON Lines.", " 3 -o file.jsonl"),
        ("import", import_own, f"Import a {kind.noun} that was exported.", " file.jsonl"),
    ):
        if name != without:
            app.command(name, help=f"{about}\n\n{example} {name}{sample}")(does)
    return app


def print_game(
    number: Number,
    document: Annotated[str, typer.Argument(help="Which of its documents.")] = "position",
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    form: Form = False,
    force: Force = False,
) -> None:
    """Print a document of a game, such as its report.

    Example: skirmish print game 12 report
    """
    from skirmish.cli.files import deliver
    from skirmish.sheets.documents import Look, StoredGame, of_game

    record, game, found = looked_up(number, None)
    documents = {id: one for id, one in of_game(game.id).items() if one.of == "game"}
    if document not in documents:
        raise Complaint(f"{game.name} has no document {document!r}; {suggest(document, documents)}")
    chosen = documents[document]
    stored = StoredGame(record.id, found, record.started)
    data = chosen.pdf(stored, Look(paper.value, ink.value, form))
    deliver(data, output, chosen.name(stored), force, chosen.called)


def looked_up(
    ref: str, kind: Listed | None
) -> tuple[BattleRecord, Game[Any, Any, Any], Play[Any, Any, Any]]:
    """The stored game that ``ref`` names, of one kind or of any. Raises StoreError, and Complaint
    where it is one of another kind or cannot be read."""
    from skirmish.cli.kept import called
    from skirmish.tabletop.exported import NotGood, soundly
    from skirmish.tabletop.journal import RecordError

    record, entries = called(ref, kind)
    game = load(record.game)
    codec = game.codec
    try:
        play = codec.play(codec.read(e.number, e.kind, e.order, e.events) for e in entries)
        soundly(lambda: game.look_at(play.state), "the game cannot be shown")
    except (RecordError, NotGood) as error:
        noun = (kind.noun if kind else "game").capitalize()
        raise Complaint(f"{noun} {record.id} cannot be read: {error}") from None
    return record, game, play
