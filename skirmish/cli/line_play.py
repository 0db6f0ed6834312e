"""A game played line by line on a plain terminal: each line that is typed is an answer."""

from __future__ import annotations

import re
import secrets
from collections.abc import Coroutine
from itertools import groupby
from typing import TYPE_CHECKING, Any

from skirmish import registry
from skirmish.cli.console import (
    CommandError,
    complain,
    harmless,
    say,
    say_page,
    say_wrapped,
    typed_lines,
)
from skirmish.extras import asked_page, extra
from skirmish.registry import listed, load
from skirmish.session import AnySession, Session, at_once, of_store
from skirmish.store.errors import Outrun
from skirmish.store.settings import place, read_settings
from skirmish.tabletop.command_pages import commands_page, draft_page, help_page
from skirmish.tabletop.commands import Command, Draft, half_typed, pressed, read
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import Field, Game, JournalLine
from skirmish.tabletop.journal import Entry, RecordError
from skirmish.tabletop.page import Note, Page
from skirmish.tabletop.page_text import columns
from skirmish.tabletop.reading import suggest
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import UnfitAnswer, Words

if TYPE_CHECKING:
    from skirmish.store.database import Store

SHELL = {
    ".": "give the last shot or the like again",
    "!": "do what was just advised against",
    "esc": "leave what is begun",
    "undo": "take the last order back",
    "redo": "bring it back",
    "board": "show the board again",
    "journal": "show the whole journal",
    "rules": "show how it is set up and played",
    "help": "list what can be typed",
    "quit": "stop; the game is stored",
}
"""The words that every game accepts, with a colon before them while a text is typed."""


class LineSession:
    def __init__(self, session: AnySession) -> None:
        self._session, self._game, self._play = session, session.game, session.play
        self._refused: Any = None
        self._due: Page | None = None

    def run(self) -> None:
        self._board()
        draft = half_typed(self._open_prompt(), self._commands(), self._session.typed)
        self._ask(draft)
        for line in typed_lines():
            before, entries = draft, len(self._play.entries)
            try:
                draft = self._answer(line.strip(), draft)
            except StopIteration:
                break
            if draft is None or not (draft.begun or draft.command.key):
                at_once(self._session.type())
            elif draft is not before:
                given = len(self._play.entries) > entries
                at_once(self._session.type(f"{draft.command.key if given else line.strip()}\n"))
            self._ask(draft)
        say(f"Stored as number {self._session.id}.")

    def _open_prompt(self) -> Draft[Any] | None:
        prompt = self._game.prompt(self._play.state)
        return None if prompt is None else Draft(command=prompt)

    def _answer(self, line: str, draft: Draft[Any] | None) -> Draft[Any] | None:
        """The open draft after a line. Raises StopIteration at the end."""
        writing = draft is not None and isinstance(draft.slot, Words)
        word = line.removeprefix(":").lower()
        if word in SHELL and (line.startswith(":") or not writing):
            return self._shell(word, draft)
        try:
            return self._read_line(line, draft)
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
            return self._open_prompt() if draft is None else draft

    def _read_line(self, line: str, draft: Draft[Any] | None) -> Draft[Any] | None:
        """The open draft after answers; ``15rr8=5a1`` gives one order and begins the next. Raises
        UnfitAnswer."""
        commands = self._commands()
        follows = next((one.key for one in commands if one.after and one.key in line), "")
        before, _, rest = line.partition(follows) if follows else ("", "", "")
        if follows and (before or draft is not None):
            draft = pressed(read(draft, commands, before) if before else draft, commands, follows)
            if draft.whole and draft.then:
                self._given(draft)
                draft = pressed(self._open_prompt(), self._commands(), follows)
            draft = draft.read(rest.split()) if rest.strip() else draft
            return self._given(draft) if draft.whole else draft
        draft = read(draft, commands, line)
        return self._given(draft) if draft.whole else draft

    def _given(self, draft: Draft[Any]) -> Draft[Any] | None:
        order = draft.order(lambda: secrets.randbits(48))
        if not self._give(order):
            return self._open_prompt()
        while draft.command.repeat and not self._game.stops(self._play.state):
            self._give(order)
        if self._game.over(self._play.state):
            headline = harmless(self._game.headline(self._play.state))
            say(f"The game is over. {headline[:1].upper()}{headline[1:]}.")
        if draft.command.reopens:
            key = draft.command.key
            return Draft(command=next(one for one in self._commands() if one.key == key))
        return self._open_prompt()

    def _commands(self) -> tuple[Command[Any], ...]:
        return self._game.commands(self._play.state)

    def _anyway(self, draft: Draft[Any] | None) -> None:
        """Give the order that was just refused, or the open draft, against the advice."""
        refused, self._refused = self._refused, None
        if refused is None and draft is not None and draft.begun and draft.ready:
            refused = draft.confirmed().order()
        found = refused and self._game.anyway(self._play.state, refused)
        if not found:
            say("Nothing was advised against.")
        for order in found.orders if found else ():
            if not self._give(order):
                return

    def _give(self, order: Any) -> bool:
        """Store an order and print its effect or its refusal; returns whether it was carried
        out."""
        before, verdict = self._play.state, self._game.verdict(self._play)
        try:
            entry = self.give(order)
        except Refused as refused:
            self._refused = None if refused.refusal.firm else order
            found = self._refused and self._game.anyway(before, order)
            more = f" ! {found.text}" if found else ""
            say(harmless(f"{refused}{more}"))
            return False
        self._refused = None
        narrated = self._game.narrated(before, entry.events)
        for text in narrated:
            say(harmless(text))
        after = self._game.verdict(self._play)
        if after is not None and after != verdict and (after.reason or not verdict):
            parts = [after.text, *after.reason.split("\n")]
            text = ". ".join(part.removesuffix(".") for part in parts if part)
            if not _repeats(text, narrated):
                say(harmless(f"{text}."))
        return True

    def give(self, order: Any) -> Entry[Any, Any]:
        """Carry out an order and store it; raises Refused."""
        return self._done(self._session.give(order))

    def _done(self, work: Coroutine[Any, Any, Entry[Any, Any]]) -> Entry[Any, Any]:
        try:
            return at_once(work)
        except Outrun:
            raise CommandError(
                "Another program has gone on with this game; your last line was not carried out. "
                f"`skirmish play {self._session.id}` goes on from there."
            ) from None

    def _shell(self, word: str, draft: Draft[Any] | None) -> Draft[Any] | None:
        state = self._play.state
        match word:
            case "quit":
                raise StopIteration
            case "." if (again := self._game.same_again(self._play)) is not None:
                self._give(again)
                return self._open_prompt()
            case ".":
                say("There is nothing to repeat yet.")
            case "!":
                self._anyway(draft)
                return self._open_prompt()
            case "esc":
                stop = next((one for one in self._commands() if one.key == "escape"), None)
                if draft is not None and draft.command.takes_back and not draft.begun:
                    return self._shell("undo", draft)
                if stop is not None and (draft is None or not draft.begun):
                    self._give(Draft(command=stop).order())
                return self._open_prompt()
            case "board":
                self._board()
            case "journal":
                say_journal(self._game.journal(self._play), self._game.title(self._play.state))
            case "rules":
                say_page(self._game.rules(state))
            case "help":
                say_page(help_page(self._game.commands(state)))
                own = {".": "same_again", "!": "anyway", "rules": "rules"}
                missing = {word for word, method in own.items() if not self._has(method)}
                say("\n".join(columns([one for one in SHELL.items() if one[0] not in missing])))
            case _:
                try:
                    self._done(self._session.undo() if word == "undo" else self._session.redo())
                except Refused as refused:
                    say(harmless(str(refused)))
                    return draft
                self._board()
                return self._open_prompt()
        return draft

    def _has(self, method: str) -> bool:
        """Whether the game overrides the method."""
        return getattr(type(self._game), method) is not getattr(Game, method)

    def _board(self) -> None:
        say_page(self._game.page(self._play.state))

    def _ask(self, draft: Draft[Any] | None) -> None:
        if draft is None or not (draft.begun or draft.command.key):
            say_page(self._game.situation(self._play.state), title=False)
        if draft is not None:
            say_page(asked_page(draft), title=False)
            return
        due = extra("What is due is", lambda: self._game.due(self._play), _note_page)
        if due != self._due:
            self._due = due
            say_page(due, title=False)
        commands = self._commands()
        for command in commands:
            if not command.key and not command.why_not:
                draft = Draft(command=command)
                say_page(asked_page(draft), title=False)
                return
        say_page(commands_page(commands), title=False)


def _repeats(text: str, lines: list[str]) -> bool:
    """Whether one of the lines contains each sentence of a text word for word."""
    found = [rf"(?<![\w+-]){re.escape(one)}(?!\w)" for one in text.split(". ")]
    return all(any(re.search(one, line) for line in lines) for one in found)


def _note_page(text: str) -> Page:
    return Page("", (Note(text),))


def begun(store: Store, id: str, settings: list[str], defaults: bool) -> LineSession:
    """A new game, its fields answered by options, by typed lines, or by default."""
    called = id.replace("-", "_")  # the command name of a game has hyphens
    line = listed(called) or next((one for one in registry.every() if one.noun == id), None)
    if line is None:
        raise CommandError(f"There is no game {id!r}; {known_games()}.")
    game = load(line.id)
    armies = [(str(one.id), one.name, one.body) for one in store.armies()]
    game = game.equipped(armies, read_settings(place()))
    for warning in game.warnings:
        complain(warning)
    form = SetupForm(game)
    _answer_form(form, dict(_setting(one) for one in settings), defaults)
    try:
        first = game.opening(form.answers, lambda: secrets.randbits(48))
    except Refused as refused:
        raise CommandError(str(refused)) from None
    session = LineSession(at_once(Session.opened(game, of_store(store), first)))
    for given in game.first_orders(form.answers):
        session.give(given)
    return session


def resumed(store: Store, game: Game[Any, Any, Any], number: int) -> LineSession:
    """A stored game. Raises CommandError."""
    try:
        return LineSession(at_once(Session.resumed(game, of_store(store), number)))
    except RecordError as error:
        raise CommandError(f"Game {number} cannot be read: {error}") from None


_RULING, _OF_A_KIND = re.compile(r"[A-Z]+\d+"), re.compile(r":.*")


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set takes NAME=VALUE, not {harmless(text)[:40]!r}.")
    return name.strip(), value.strip()


def _answer_form(form: SetupForm, given: dict[str, str], defaults: bool) -> None:
    """Answer the fields ``given`` by options, then prompt for the rest. Raises CommandError for an
    option without a field, and where the input ends too early."""
    left = dict(given)
    while field := next((one for one in form.fields if one.slot.name in left), None):
        name = field.slot.name
        try:
            form.answer(name, form.read(name, left.pop(name)))
        except ValueError as unfit:
            raise CommandError(f"--set {name}: {unfit}") from None
    for name in left:
        hint = _suggested(name, [one.slot.name for one in form.fields])
        raise CommandError(
            f"--set {name}: the set-up of a {form.game.noun} has no such line; {hint}"
        )
    asked = set(given)
    while field := next(
        (one for one in form.fields if not one.fold and one.slot.name not in asked), None
    ):
        asked.add(field.slot.name)
        if not defaults or form.answers[field.slot.name] is None:
            form.answer(field.slot.name, _asked(form, field))


def _suggested(name: str, known: list[str]) -> str:
    """The nearest name, else all names, those of a kind together: ``player:…``, ``P11``."""
    kinds = dict.fromkeys(_RULING.sub("P11 and other rulings", one) for one in known)
    short = dict.fromkeys(_OF_A_KIND.sub(":…", one) for one in kinds)
    near = suggest(name, known)
    return near if near.startswith("did") else suggest(name, short)


def _asked(form: SetupForm, field: Field) -> Any:
    slot = field.slot
    draft: Draft[Any] = Draft(command=Command(label="", make=dict, slots=(slot,)))
    say_page(draft_page(draft), title=False)
    for line in typed_lines():
        try:
            return form.read(slot.name, line.strip())
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
    raise CommandError(f"The input ended before “{slot.text}” was answered; nothing was stored.")


def say_journal(lines: list[JournalLine], title: str) -> None:
    say_wrapped(harmless(title))
    for turn, of_turn in groupby(lines, lambda line: line.turn):
        say(f"\nTurn {turn}" if turn else "")
        for one in of_turn:
            say_wrapped(mark(one) + harmless(one.words), "", "  ")


def mark(line: JournalLine) -> str:
    return "(void) " if line.void else "(undone) " if line.undone else ""


def known_games() -> str:
    known = ", ".join(one.id for one in registry.every())
    return f"known are: {known}" if known else "none is installed"
