"""A game played line by line on a plain terminal: each line that is typed is an answer."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
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
from skirmish.registry import load
from skirmish.session import AnyDraft, AnySession, Player, Session, at_once, of_store, remembering
from skirmish.store.errors import Outrun, StoreError
from skirmish.store.settings import place, read_settings
from skirmish.tabletop.command_pages import commands_page, draft_page, due_page, help_page
from skirmish.tabletop.commands import Command, Draft, pressed, read
from skirmish.tabletop.data_file import suggest
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import Field, Game, JournalLine, Verdict
from skirmish.tabletop.journal import RecordError
from skirmish.tabletop.page import Choice, Choices, Heading, Note, Page
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Option, UnfitAnswer, Words

if TYPE_CHECKING:
    from skirmish.store.database import Store

SHELL = {
    ".": "Give the last shot or the like again",
    "!": "Do what was just advised against",
    "esc": "Leave what is begun",
    "undo": "Take the last order back",
    "redo": "Bring it back",
    "board": "Show the board again",
    "due": "Show everything that is due",
    "journal": "Show the whole journal",
    "rules": "Show how it is set up and played",
    "help": "List what can be typed",
    "quit": "Stop; the game is stored",
}
"""The words that every game accepts, with a colon before them while a text is typed."""


class LineSession(Player):
    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._due: Page | None = None

    def run(self) -> None:
        self._board()
        self._ask()
        for line in map(str.strip, typed_lines()):
            if self._word(line) == "quit":
                break
            at_once(self._answer(line))
            self._ask()
        say(f"Stored as number {self.session.id}.")

    def _word(self, line: str) -> str:
        """The word of the shell that a line is; empty where it may be an answer."""
        word = line.removeprefix(":").lower()
        word = "help" if word.startswith("help ") else word
        if word not in SHELL:
            return ""
        return word if line.startswith(":") or not self._answers(line) else ""

    def _answers(self, line: str) -> bool:
        """Whether a line may be the answer to the open question; every line is a text."""
        slot = self.draft.slot if self.draft is not None else None
        if slot is None or isinstance(slot, Words):
            return slot is not None
        try:
            slot.parse(line, True)
        except UnfitAnswer:
            return False
        return True

    async def _answer(self, line: str) -> None:
        async with self.recording(f"{line}\n"):
            try:
                if word := self._word(line):
                    await self._shell(word)
                else:
                    await self._read(line)
            except UnfitAnswer as unfit:
                asked = self.in_hand
                if asked is None or asked.text != str(unfit):  # it is asked again anyway
                    self.say(str(unfit))

    async def _read(self, line: str) -> None:
        """Take answers; ``15rr8=5a1`` gives one order and begins the next. Raises UnfitAnswer."""
        follows = next((one.key for one in self.commands if one.after and one.key in line), "")
        before, _, rest = line.partition(follows) if follows else ("", "", "")
        part_of_answer = before and self.draft is not None and self._takes(follows, before)
        if not follows or part_of_answer or not (before or self.draft is not None):
            await self._read_line(line)
            return
        draft = read(self.draft, self.commands, before) if before else self.draft
        await self.take(pressed(draft, self.commands, follows))
        if rest.strip() and self.draft is not None and self.draft.command.key == follows:
            await self.take(self.draft.read(rest.split()))

    async def _read_line(self, line: str) -> None:
        """Take a line that is an order or an answer, or an order with its draw: ``mi 2c``. Raises
        UnfitAnswer."""
        try:
            draft = read(self.draft, self.commands, line)
        except UnfitAnswer:
            words = line.split()
            # The draw is the end of the line, and as short as possible: a number before it may
            # still belong to the order.
            for begin in range(len(words) - 1, 0, -1):
                order = self._order_before_draw(words[:begin], words[begin:])
                if order is not None:
                    await self._give_with_draw(order, words[begin:])
                    return
            raise
        await self.take(draft)

    def _order_before_draw(self, words: Sequence[str], draw: Sequence[str]) -> AnyDraft | None:
        """The command that words give, if it leads to a draw that the words behind them answer, or
        if the rules refuse it, which is then to be said."""
        play = self.session.play
        try:
            draft = read(self.draft, self.commands, " ".join(words))
            if not draft.ready:
                return None
            order = draft.confirmed()
            prompt = self.game.prompt(play.after(play.consider(order.order(self.seed))))
            if prompt is None or not prompt.takes_back:
                return None
            if not Draft(command=prompt).read(draw).whole:
                return None
        except UnfitAnswer:
            return None
        except Refused:
            return order
        return order

    async def _give_with_draw(self, order: AnyDraft, draw: Sequence[str]) -> None:
        """Give an order and answer the draw that it asks for; if it is refused, the draw goes with
        it."""
        await self.take(order)
        if self.draft is not None and self.draft.command.takes_back:
            await self.take(self.draft.read(draw))

    def _takes(self, key: str, before: str) -> bool:
        """Whether a key is part of the answer that is asked for, as in ``2=jc``."""
        slot = self.draft.slot if self.draft is not None else None
        return slot is not None and slot.takes(key, before)

    async def give(self, orders: Sequence[Any]) -> bool:
        for order in orders:
            before, verdict = self.state, self.game.verdict(self.session.play)
            if not await super().give([order]):
                return False
            self._narrate(before, verdict)
        return True

    def _narrate(self, before: Any, verdict: Verdict | None) -> None:
        narrated = self.game.narrated(before, self.session.play.entries[-1].events)
        for text in narrated:
            say(harmless(text))
        after = self.game.verdict(self.session.play)
        if after is not None and after != verdict and (after.reason or not verdict):
            parts = [after.text, *after.reason.split("\n")]
            text = ". ".join(part.removesuffix(".") for part in parts if part)
            if not _repeats(text, narrated):
                say(harmless(f"{text}."))
        if self.game.over(self.state) and not self.game.over(before):
            say(f"The game is over. {harmless(self.game.headline(self.state))}.")

    def say(self, sentence: str) -> None:
        say(harmless(sentence))

    def after_refusal(self, before: AnyDraft | None, refused: AnyDraft) -> AnyDraft | None:
        """The prompt, since another line may answer anything."""
        prompt = self.prompt
        return None if prompt is None else Draft(command=prompt)

    async def failed(self, error: StoreError | RecordError) -> None:
        if not isinstance(error, Outrun):
            raise error
        raise CommandError(
            "Another program has gone on with this game; your last line was not carried out. "
            f"`skirmish play {self.session.id}` goes on from there."
        )

    async def _shell(self, word: str) -> None:
        session, draft = self.session, self.draft
        match word:
            case ".":
                await self.same()
            case "!":
                await self.insist()
            case "esc" if draft is not None and (draft.begun or draft.command.key):
                self.begin()
            case "esc":
                await self.back("escape")
            case "board":
                self._board()
            case "due":
                say_page(due_page(self.game.due(session.play)))
            case "journal":
                say_journal(self.game.journal(session.play), self.game.title(self.state))
            case "rules":
                say_page(self.game.rules(self.state))
            case "help":
                own = {".": "same_again", "!": "anyway", "rules": "rules"}
                missing = {word for word, method in own.items() if not self._has(method)}
                words = (Choice(*one) for one in SHELL.items() if one[0] not in missing)
                always = Heading("At any time"), Choices(tuple(words))
                say_page(help_page(self.commands).with_blocks(always))
            case _:
                if await self.carry_out(session.undo() if word == "undo" else session.redo()):
                    self._board()

    def _has(self, method: str) -> bool:
        return getattr(type(self.game), method) is not getattr(Game, method)

    def _board(self) -> None:
        say_page(self.game.board(self.state))

    def _ask(self) -> None:
        draft = self.draft
        if draft is None or not (draft.begun or draft.command.key):
            say_page(self.game.situation(self.state), title=False)
        if draft is None:
            due = extra("What is due is", lambda: self.game.due(self.session.play), _note_page)
            if due != self._due:
                self._due = due
                say_page(due, title=False)
        asked = self.in_hand
        say_page(commands_page(self.commands) if asked is None else asked_page(asked), title=False)


def _repeats(text: str, lines: list[str]) -> bool:
    """Whether one of the lines contains each sentence of a text word for word."""
    found = [rf"(?<![\w+-]){re.escape(one)}(?!\w)" for one in text.split(". ")]
    return all(any(re.search(one, line) for line in lines) for one in found)


def _note_page(text: str) -> Page:
    return Page("", (Note(text),))


def begun(store: Store, id: str, settings: list[str], defaults: bool) -> LineSession:
    """A new game, its fields answered by options, by typed lines, or by default."""
    line = registry.named(id)
    if line is None:
        raise CommandError(f"There is no game “{id}”; {known_games()}.")
    game = at_once(remembering(load(line.id), of_store(store)))
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
        at_once(session.session.give(given))
    return session


def resumed(store: Store, game: Game[Any, Any, Any], number: int) -> LineSession:
    try:
        return LineSession(at_once(Session.resumed(game, of_store(store), number)))
    except RecordError as error:
        raise CommandError(f"Game {number} cannot be read: {error}") from None


RENAMED = {"reading": "rulings"}
"""Names that lines of the set-up had before."""
_RULING, _OF_A_KIND = re.compile(r"[A-Z]+\d+"), re.compile(r":.*")


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set takes NAME=VALUE, not {harmless(text)[:40]!r}.")
    return RENAMED.get(name.strip(), name.strip()), value.strip()


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
    say_page(draft_page(draft, remark=_beside), title=False)
    for line in typed_lines():
        try:
            return form.read(slot.name, line.strip())
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
    raise CommandError(f"The input ended before “{slot.text}” was answered; nothing was stored.")


def _beside(option: Option) -> str:
    return "" if option.note.rstrip(".") == option.label else option.note


def say_journal(lines: list[JournalLine], title: str) -> None:
    say_wrapped(harmless(title))
    for turn, of_turn in groupby(lines, lambda line: line.turn):
        say(f"\nTurn {turn}" if turn else "")
        for one in of_turn:
            first, *more = one.rows or (one.text,)
            say_wrapped(mark(one) + harmless(first), "", "  ")
            for sentence in more:
                say_wrapped(harmless(sentence), "  ", "    ")


def mark(line: JournalLine) -> str:
    return "(void) " if line.void else "(undone) " if line.undone else ""


def known_games() -> str:
    known = ", ".join(one.command for one in registry.every())
    return f"known are: {known}" if known else "none is installed"
