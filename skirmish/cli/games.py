"""``skirmish play`` and its neighbours: any game of the registry without a full screen.

The board and the question are printed as text, and each line that is typed is an answer. It is the
way for screen readers, for pipes and for tests.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish import registry
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import Complaint, columns, harmless, say, say_json
from skirmish.registry import listed, load
from skirmish.tabletop.reading import suggest

if TYPE_CHECKING:
    from skirmish.store.desk import Store
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.commands import Draft
    from skirmish.tabletop.game import Field, Game, JournalLine
    from skirmish.tabletop.journal import Entry, Play
    from skirmish.tabletop.page import Page

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
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The number of a game, as listed.")]
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
    from skirmish.cli.kept import open_store

    with open_store() as store:
        if game.isascii() and game.isdigit():
            record = _record(store, game)
            session = _Session(store, load(record.game), record.id)
        else:
            session = _begun(store, game, settings or [], defaults)
        session.run()


def list_games(as_json: AsJson = False) -> None:
    """List the games that can be played, and those that are stored.

    Example: skirmish list
    """
    from skirmish.cli.kept import listed as as_listed
    from skirmish.cli.kept import looking

    with looking() as store:
        records = [] if store is None else [r for r in store.battles() if listed(r.game)]
    if as_json:
        games = [{"id": one.id, "name": one.name, "about": one.about} for one in registry.GAMES]
        stored = [{"game": one.game} | as_listed(one) for one in records]
        say_json({"games": games, "stored": stored})
        return
    for one in registry.GAMES:
        say(f"{one.id}  {harmless(one.name)}. {harmless(one.about)}")
    if not registry.GAMES:
        say("No game of this kind is installed; `skirmish` opens the others.")
    if records:
        say()
        rows = [(str(r.id), r.game, harmless(r.title), harmless(r.headline)) for r in records]
        say("\n".join(columns([("No.", "Game", "Title", "Stands"), *rows], (0,))))


def show(number: Number, as_json: AsJson = False) -> None:
    """Show how a game stands.

    Example: skirmish show 12
    """
    record, game, found = _looked_up(number)
    if as_json:
        from msgspec import to_builtins

        from skirmish.cli.kept import listed as as_listed

        page = to_builtins(game.page(found.state))
        say_json({"game": record.game} | as_listed(record) | {"page": page})
        return
    _say_page(game.page(found.state))


def journal(number: Number, as_json: AsJson = False) -> None:
    """Show all that happened in a game.

    Example: skirmish journal 12
    """
    _, game, found = _looked_up(number)
    lines = game.journal(found)
    if as_json:
        say_json([{"number": one.number, "turn": one.turn, "text": one.words} for one in lines])
        return
    _say_journal(lines)


def export(number: Number, output: Output = None, force: Force = False) -> None:
    """Write a game whole, as JSON Lines for another program.

    Example: skirmish export 12 -o evening.jsonl
    """
    from skirmish.cli.files import deliver
    from skirmish.cli.kept import open_store
    from skirmish.tabletop import exported

    with open_store() as store:
        record = _record(store, number)
        entries = store.entries(record.id)
    header = exported.Header(game=record.game, title=record.title, started=record.started)
    kept = (
        exported.Kept(number=e.number, kind=e.kind, order=e.order, events=e.events, at=e.at)
        for e in entries
    )
    data = b"".join(exported.export(header, kept))
    deliver(data, output or "-", f"{record.game}-{record.id}.jsonl", force, "Game")


def import_game(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="An exported game; - is stdin.")],
) -> None:
    """Store a game that was exported.

    Every order is decided again and must lead to what the file says. Where one does not, the
    entries before it are stored, the line is named, and the command ends with 1.

    Example: skirmish import evening.jsonl
    """
    import msgspec

    from skirmish.cli.files import bytes_of
    from skirmish.cli.kept import kept_as
    from skirmish.tabletop.exported import BadExport, Header, Rebuilding, rebuilt

    data, called = bytes_of(file, LARGEST, "game")
    lines = data.split(b"\n")
    try:
        id = msgspec.json.decode(lines[0].removeprefix(b"\xef\xbb\xbf"), type=Header).game
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        id = ""
    line = listed(id)
    if line is not None and line.opening:
        raise Complaint(f"{called}: `skirmish {line.noun} import` reads this file.")
    if line is None:
        raise Complaint(f"{called}: this is no exported game; {_known()}.")
    game = load(id)
    into: Rebuilding[Any] = game.rebuilding()
    try:
        found = rebuilt(lines, id, into)
    except BadExport as error:
        raise Complaint(f"{called}: {error}") from None
    state = found.play.state
    kept_as(line, found, called, game.headline(state), over=game.over(state))


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
    from skirmish.sheets.documents import documents_of

    record, game, found = _looked_up(number)
    documents = {one.id: one for one in documents_of(game.id)}
    if document not in documents:
        raise Complaint(f"{game.name} has no document {document!r}; {suggest(document, documents)}")
    chosen = documents[document]
    data = chosen.make(found, paper.value, ink.value, form)
    deliver(data, output, chosen.file_name(game.id, record.id), force, "Document")


# ------------------------------------------------------------------ a session


class _Session:
    """One game played by lines."""

    def __init__(self, store: Store, game: Game[Any, Any, Any], number: int) -> None:
        self._store, self._game, self._number = store, game, number
        self._read()

    def _read(self) -> None:
        from skirmish.tabletop.record import RecordError

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
        for line in _lines():
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
        entry = self._play.consider(draft.order())
        self._store_entry(entry)
        for text in self._game.told(before, entry.events):
            say(harmless(text))
        if verdict := self._game.verdict(before, entry):
            reason = f" ({verdict.reason})" if verdict.reason else ""
            say(harmless(f"{verdict.text}{reason}"))

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
                _say_journal(self._game.journal(self._play))
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
        _say_page(self._game.page(self._play.state))

    def _ask(self, draft: Draft[Any] | None) -> None:
        from skirmish.tabletop.commands import commands_page, draft_page

        if draft is not None:
            _say_page(draft_page(draft), title=False)
        else:
            _say_page(commands_page(self._game.commands(self._play.state)), title=False)


def _begun(store: Store, id: str, settings: list[str], defaults: bool) -> _Session:
    """A new game, its fields answered by options, by lines, or by default."""
    from skirmish.store.records import NewEntry
    from skirmish.tabletop.refusal import Refused

    line = listed(id)
    if line is None:
        raise Complaint(f"There is no game {id!r}; {_known()}.")
    if line.opening:
        raise Complaint(f"{line.name} is not played line by line; `skirmish` opens it.")
    game = load(id)
    given = dict(_setting(one) for one in settings)
    fields = {field.slot.name: field for field in game.fields()}
    for name in given:
        if name not in fields:
            raise Complaint(f"--set {name}: {game.name} has no such line; {suggest(name, fields)}")
    answers: dict[str, Any] = {name: field.slot.proposed for name, field in fields.items()}
    for name, field in fields.items():
        if name in given or not field.fold:
            answers[name] = _field_answer(field, given.get(name), defaults)
            answers = dict(game.follow(name, answers))
    try:
        first = game.opening(answers, lambda: secrets.randbits(48))
    except Refused as refused:
        raise Complaint(str(refused)) from None
    state = game.codec.play([first]).state
    order, events = game.codec.written(first)
    entry = NewEntry("open", order, events)
    record = store.begin_battle(id, game.title(state), game.headline(state), entry)
    return _Session(store, game, record.id)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Complaint(f"--set takes NAME=VALUE, not {harmless(text)[:40]!r}.")
    return name.strip(), value.strip()


def _field_answer(field: Field, given: str | None, defaults: bool) -> Any:
    """The answer to a line of the set-up. Raises Complaint where the input ends before it."""
    from skirmish.tabletop.commands import Command, Draft, UnfitAnswer, draft_page

    slot = field.slot
    if given is not None:
        try:
            return slot.parse(given, True) if given else slot.proposed
        except UnfitAnswer as unfit:
            raise Complaint(f"--set {slot.name}: {unfit}") from None
    if defaults and slot.proposed is not None:
        return slot.proposed
    draft: Draft[Any] = Draft(command=Command(label="", make=dict, slots=(slot,)))
    _say_page(draft_page(draft), title=False)
    for line in _lines():
        try:
            said = line.strip()
            return slot.parse(said, True) if said or slot.proposed is None else slot.proposed
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
    raise Complaint(f"The input ended before “{slot.text}” was answered; nothing was stored.")


def _lines() -> Iterator[str]:
    """Lines of the input, as they come."""
    if sys.stdin is None:
        return
    while line := sys.stdin.readline():
        yield line


def _looked_up(number: str) -> tuple[BattleRecord, Game[Any, Any, Any], Play[Any, Any, Any]]:
    from skirmish.cli.kept import looking
    from skirmish.tabletop.record import RecordError

    with looking() as store:
        if store is None:
            raise Complaint("No game is stored yet.")
        record = _record(store, number)
        entries = store.entries(record.id)
    game = load(record.game)
    codec = game.codec
    try:
        play = codec.play(codec.read(e.number, e.kind, e.order, e.events) for e in entries)
    except RecordError as error:
        raise Complaint(f"Game {record.id} cannot be read: {error}") from None
    return record, game, play


def _record(store: Store, number: str) -> BattleRecord:
    """The stored game with that number. Raises Complaint."""
    found = next((one for one in store.battles() if str(one.id) == number.lstrip("0")), None)
    if found is None:
        raise Complaint(f"No game has the number {number}; `skirmish list` shows all of them.")
    kind = listed(found.game)
    if kind is None:
        raise Complaint(f"Number {number} is a game that this program does not know.")
    if kind.opening:
        raise Complaint(
            f"Number {number} is a {kind.noun} of {kind.name}; `{kind.show} {number}` shows it, "
            "and `skirmish` plays it."
        )
    return found


def _known() -> str:
    known = ", ".join(one.id for one in registry.GAMES)
    return f"known are: {known}" if known else "none is installed"


def _say_journal(lines: list[JournalLine]) -> None:
    for turn, of_turn in groupby(lines, lambda line: line.turn):
        if turn:
            say(f"Turn {turn}")
        for one in of_turn:
            say(f"{one.number:>5}  {harmless(one.words)}")


def _say_page(page: Page, title: bool = True) -> None:
    from skirmish.tabletop.page import Page as APage
    from skirmish.tabletop.page_text import as_text

    say(as_text(page if title else APage("", page.blocks)).rstrip("\n"))
