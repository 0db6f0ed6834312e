"""``skirmish play`` and its neighbours: any game of the registry without a full screen.

The board and the question are printed as text, and each line that is typed is an answer. It is the
way for screen readers, for pipes and for tests.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish import registry
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.set_up import answer_form, setting
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
    typed_lines,
)
from skirmish.registry import Listed, listed, load
from skirmish.tabletop.reading import suggest

if TYPE_CHECKING:
    from skirmish.store.database import Store
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.commands import Draft
    from skirmish.tabletop.game import Game, JournalLine
    from skirmish.tabletop.journal import Entry, Play

LARGEST = 20_000_000
"""Bytes of a file to import."""
SHELL = {
    "undo": "take the last order back",
    "redo": "bring it back",
    "board": "show the board again",
    "journal": "show the whole journal",
    "help": "list what can be typed",
    "quit": "stop; the game is stored",
}
"""The words that every game takes; with a colon before them where a text is being typed."""
TITLE_WIDTH, STANDS_WIDTH = 20, 42
Number = Annotated[
    str,
    typer.Argument(metavar="N", help="The number of a game, as listed.", show_default=False),
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
            session = _Session(store, load(record.game), record.id)
        else:
            session = _begun(store, game, settings or [], defaults)
        session.run()


def list_games(as_json: AsJson = False) -> None:
    """List the games that can be played, and those that are stored.

    Example: skirmish list
    """
    if as_json:
        from skirmish.cli.kept import listed as as_listed
        from skirmish.cli.kept import records

        games = [{"id": one.id, "name": one.name, "about": one.about} for one in registry.GAMES]
        stored = [{"game": one.game} | as_listed(one) for one in records(None)]
        say_json({"games": games, "stored": stored})
        return
    for one in registry.GAMES:
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
        say("\n".join(columns([("", "Game", "Where it stands", "Played"), *rows], (0,))))
    return bool(rows)


def show(number: Number, as_json: AsJson = False) -> None:
    """Show how a game stands.

    Example: skirmish show 12
    """
    _show(number, None, as_json)


def _show(ref: str, kind: Listed | None, as_json: bool) -> None:
    from skirmish.cli.kept import listed as as_listed
    from skirmish.store.moments import minute

    record, game, found = looked_up(ref, kind)
    page, phases = game.page(found.state), game.phases(found)
    if as_json:
        from msgspec import to_builtins

        head = {"game": record.game} | as_listed(record) | game.facts(found)
        say_json(head | {"page": to_builtins(page)})
        return
    stands = harmless(game.headline(found.state))
    say(f"{record.id}  {harmless(record.title)}")
    say(f"Begun {minute(record.started)}, last played {minute(record.updated)}.")
    say_wrapped(f"{stands[:1].upper()}{stands[1:]}.")
    if prompt := game.prompt(found.state):
        say_wrapped(" ".join(harmless(slot.text) for slot in prompt.slots))
    say()
    turn = () if phases is None or game.over(found.state) else (phases,)
    say_page(page.with_blocks(turn), title=False)


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
    if found is None or found.opening:
        raise Complaint(f"There is no game {game!r} with scores; {_known()}.")
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
    from skirmish.tabletop import exported

    record, entries = called(ref, kind)
    header = exported.Header(game=record.game, title=record.title, started=record.started)
    data = b"".join(exported.export(header, entries))
    name = f"{record.game.replace('_', '-')}-{record.id}.jsonl"
    deliver(data, output or "-", name, force, "Game")


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
    from skirmish.tabletop.exported import BadExport, Header, Rebuilding, rebuilt

    data, called = bytes_of(file, LARGEST, "game")
    lines = data.split(b"\n")
    if kind is None:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            head = lines[0].removeprefix(b"\xef\xbb\xbf")
            kind = listed(msgspec.json.decode(head, type=Header).game)
    if kind is None:
        raise Complaint(f"{called}: this is no exported game; {_known()}.")
    if kind.opening:
        raise Complaint(f"{called}: `skirmish {kind.noun} import` reads this file.")
    game = load(kind.id)
    into: Rebuilding[Any, Any, Any] = game.rebuilding()
    try:
        found = rebuilt(lines, kind.id, into)
    except BadExport as error:
        raise Complaint(f"{called}: {error}") from None
    state = found.play.state
    kept_as(kind, found, called, game.headline(state), over=game.over(state))


def group(kind: Listed, help: str) -> typer.Typer:
    """The same commands for one game, to which its own may be added."""
    app = typer.Typer(help=help, no_args_is_help=True, rich_markup_mode=None)
    example = f"Example: skirmish {kind.id.replace('_', '-')}"

    def list_own(as_json: AsJson = False) -> None:
        from skirmish.cli.kept import listed as as_listed
        from skirmish.cli.kept import records
        from skirmish.store.place import find

        if as_json:
            say_json([as_listed(record) for record in records(kind)])
        elif not _say_stored(kind):
            say(f"There is no {kind.noun} of {kind.name} in {find().location} yet.")
            say("`skirmish` opens the app, where you can begin one.")

    def show_own(game: Number, as_json: AsJson = False) -> None:
        _show(game, kind, as_json)

    def journal_own(game: Number, as_json: AsJson = False) -> None:
        _journal(game, kind, as_json)

    def export_own(game: Number, output: Output = None, force: Force = False) -> None:
        _export(game, kind, output, force)

    def import_own(file: File) -> None:
        _import(file, kind)

    for name, command, about, sample in (
        ("list", list_own, "List your games, the last one played first.", ""),
        ("show", show_own, "Show how a game stands, phase by phase.", " 3"),
        ("journal", journal_own, "Show all that happened in a game, turn by turn.", " 3"),
        ("export", export_own, "Export a whole game as JSON Lines.", " 3 -o evening.jsonl"),
        ("import", import_own, "Import a game that was exported.", " evening.jsonl"),
    ):
        app.command(name, help=f"{about}\n\n{example} {name}{sample}")(command)
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


# ------------------------------------------------------------------ a session


class _Session:
    """One game played by lines."""

    def __init__(self, store: Store, game: Game[Any, Any, Any], number: int) -> None:
        self._store, self._game, self._number = store, game, number
        self._read()

    def _read(self) -> None:
        from skirmish.tabletop.journal import RecordError

        entries = self._store.entries(self._number)
        codec = self._game.codec
        try:
            self._play = codec.play(
                codec.read(e.number, e.kind, e.order, e.events) for e in entries
            )
        except RecordError as error:
            raise Complaint(f"Game {self._number} cannot be read: {error}") from None

    def run(self) -> None:
        """Until the input ends, or ``quit``."""
        self._board()
        draft = self._open_prompt()
        self._ask(draft)
        for line in typed_lines():
            try:
                draft = self._answer(line.strip(), draft)
            except StopIteration:
                break
            self._ask(draft)
        say(f"Stored as number {self._number}.")

    def _open_prompt(self) -> Draft[Any] | None:
        from skirmish.tabletop.commands import Draft

        prompt = self._game.prompt(self._play.state)
        return None if prompt is None else Draft(command=prompt)

    def _answer(self, line: str, draft: Draft[Any] | None) -> Draft[Any] | None:
        """What is open after a line. Raises StopIteration at the end."""
        from skirmish.tabletop.commands import Draft, UnfitAnswer, Words, command_of

        writing = draft is not None and isinstance(draft.slot, Words)
        word = line.removeprefix(":").lower()
        if word in SHELL and (line.startswith(":") or not writing):
            return self._shell(word, draft)
        try:
            words = line.split()
            if draft is None:
                said = words.pop(0) if words else "enter"
                commands = self._game.commands(self._play.state)
                draft = Draft(command=command_of(commands, said))
            if words:
                draft = draft.read(words)
            elif not line and draft.slot is not None:
                draft = draft.press("enter")
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
            return draft if draft is not None and draft.command.key == "" else self._open_prompt()
        return self._given(draft) if draft.whole else draft

    def _given(self, draft: Draft[Any]) -> Draft[Any] | None:
        from skirmish.tabletop.refusal import Refused

        try:
            self._give(draft)
            while draft.command.repeat and not self._game.stops(self._play.state):
                self._give(draft)
        except Refused as refused:
            say(harmless(str(refused)))
            return self._open_prompt()
        if self._game.over(self._play.state):
            say(f"The game is over. {harmless(self._game.headline(self._play.state))}.")
        return self._open_prompt()

    def _give(self, draft: Draft[Any]) -> None:
        """Store an order and say what came of it; raises Refused."""
        before = self._play.state
        entry = self.give(draft.order())
        for text in self._game.narrated(before, entry.events):
            say(harmless(text))
        if verdict := self._game.verdict(before, entry):
            reason = f" ({verdict.reason})" if verdict.reason else ""
            say(harmless(f"{verdict.text}{reason}"))

    def give(self, order: Any) -> Entry[Any, Any]:
        """Carry out an order and store it; raises Refused."""
        entry = self._play.consider(order)
        self._store_entry(entry)
        return entry

    def _store_entry(self, entry: Entry[Any, Any]) -> None:
        from skirmish.store.errors import Outrun

        game, after = self._game, self._play.after(entry)
        order, events = game.codec.written(entry)
        try:
            self._store.append(
                self._number, entry.number, entry.kind, order, events,
                headline=game.headline(after), over=game.over(after),
            )  # fmt: skip
        except Outrun:
            self._read()
            raise Complaint(
                "Another program has gone on with this game; your last line was not carried out. "
                f"`skirmish play {self._number}` goes on from there."
            ) from None
        self._play.accept(entry)

    def _shell(self, word: str, draft: Draft[Any] | None) -> Draft[Any] | None:
        from skirmish.tabletop.refusal import Refused

        match word:
            case "quit":
                raise StopIteration
            case "board":
                self._board()
            case "journal":
                say_journal(self._game.journal(self._play), self._game.title(self._play.state))
            case "help":
                say("\n".join(columns(list(SHELL.items()))))
            case _:
                considered = {"undo": self._play.consider_undo, "redo": self._play.consider_redo}
                try:
                    self._store_entry(considered[word]())
                except Refused as refused:
                    say(harmless(str(refused)))
                    return draft
                self._board()
                return self._open_prompt()
        return draft

    def _board(self) -> None:
        say_page(self._game.page(self._play.state))

    def _ask(self, draft: Draft[Any] | None) -> None:
        from skirmish.tabletop.commands import commands_page, draft_page

        if draft is None or not (draft.begun or draft.command.key):
            say_page(self._game.situation(self._play.state), title=False)
        if draft is not None:
            say_page(draft_page(draft), title=False)
        else:
            say_page(commands_page(self._game.commands(self._play.state)), title=False)


def _begun(store: Store, id: str, settings: list[str], defaults: bool) -> _Session:
    """A new game, its fields answered by options, by lines, or by default."""
    from skirmish.store.records import NewEntry
    from skirmish.store.settings import place, read_settings
    from skirmish.tabletop.form import SetupForm
    from skirmish.tabletop.refusal import Refused

    line = listed(id)
    if line is None:
        raise Complaint(f"There is no game {id!r}; {_known()}.")
    if line.opening:
        raise Complaint(f"{line.name} is not played line by line; `skirmish` opens it.")
    game = load(id)
    armies = [(str(one.id), one.name, one.body) for one in store.armies()]
    game = game.equipped(armies, read_settings(place()))
    for warning in game.warnings:
        complain(warning)
    form = SetupForm(game)
    answer_form(form, dict(setting(one) for one in settings), defaults)
    try:
        first = game.opening(form.answers, lambda: secrets.randbits(48))
    except Refused as refused:
        raise Complaint(str(refused)) from None
    state = game.codec.play([first]).state
    order, events = game.codec.written(first)
    entry = NewEntry("open", order, events)
    record = store.begin_battle(id, game.title(state), game.headline(state), entry)
    session = _Session(store, game, record.id)
    for given in game.first_orders(form.answers):
        session.give(given)
    return session


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
        raise Complaint(f"Game {record.id} cannot be read: {error}") from None
    return record, game, play


def _known() -> str:
    known = ", ".join(one.id for one in registry.GAMES)
    return f"known are: {known}" if known else "none is installed"


def say_journal(lines: list[JournalLine], title: str) -> None:
    """A heading for each turn, its lines below."""
    say_wrapped(harmless(title))
    for turn, of_turn in groupby(lines, lambda line: line.turn):
        say(f"\nTurn {turn}" if turn else "")
        for one in of_turn:
            say_wrapped(harmless(one.words), "", "  ")
