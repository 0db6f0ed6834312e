"""What the commands of a battle have in common: how they are declared, the rows of both sides as
options, and why no order can be given now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.resolution import Order, draw_waited_for, waiting_for
from skirmish.games.plastic.battle.qualities import most_decide, qualities_differ, qualities_here
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.weights import CommanderWeights
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.page import Page, capital
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    ESC_DROPS,
    MOST,
    TOO_MANY,
    Choose,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    fewer,
)

FIRE, TURN, MOVEMENT, CORRECTIONS, BATTLE = "Fire", "Turn", "Movement", "Corrections", "Battle"
"""The headings of the help."""
NEW_KIND = "a new kind of unit"
"""The answer in place of a row where Enter adds a unit that the side does not have."""
COUNT = Number(name="count", text="How many?", low=1, high=MOST, optional=True, too_many=TOO_MANY)
LETTER_WANTED = "Digits before a letter say how many, the letter who."
MOST_NUMBERED = 9
"""The most options that have a digit as their key; the others get a letter."""
AnyCommand = Command[AnyOrder]


class CommandParts(msgspec.Struct, frozen=True, kw_only=True):
    """What a command has in the present state besides its declaration; the fields are those of
    ``Command``. A ``label``, ``word``, ``why_not`` or ``make`` that is None is the declaration's
    own, or that of its order. What is a function here is called with the answers so far, which are
    called ``facts`` everywhere; ``make`` with each of them by its name."""

    make: Callable[..., AnyOrder] | None = None
    """Makes the order of the answers."""
    slots: tuple[Slot, ...] | Callable[[Answers], tuple[Slot, ...]] = ()
    """What is asked. An answer has the name of its slot."""
    toggles: tuple[Toggle, ...] | Callable[[Answers], tuple[Toggle, ...]] = ()
    """What a key switches meanwhile; that is an answer, too."""
    given: Answers = {}
    """Answers that hold until a toggle changes them."""
    label: str | None = None
    word: str | None = None
    """What it is called on the key strip; empty: it is not shown there."""
    why_not: str | None = None
    """Why it cannot be given now; empty: it can."""
    on_strip: bool = True
    """Whether it is shown on the key strip."""
    preview: Callable[[Answers], Page] | None = None
    """What would come of it."""
    words_for_others: Callable[[Answers, str | None], str] | None = None
    """What another player (the id of his side) reads of it meanwhile."""
    after: Callable[[AnyOrder], str] | None = None
    """Of a command whose key first gives the order that is put together: why it cannot follow that
    order; empty: it can."""
    seeded: bool = False
    """Whether ``make`` takes a fresh ``seed`` too."""
    reopens: bool = False
    """Whether it begins again after its order."""
    by_key_only: bool = False
    """Whether it begins again only when its key is typed."""


def no_parts(battle: BattleNow) -> CommandParts:
    """The parts of a command that asks for nothing."""
    del battle
    return CommandParts()


class Declared(NamedTuple):
    """A command of the battle as the key map and the help see it: the ``order`` it gives, in
    ``help`` its label with a typed example after a colon, and its ``word`` on the key strip, if
    that is not the verb. ``parts`` makes what the command has in the present state."""

    key: str
    verb: str
    group: str
    order: type[Order]
    help: str
    word: str = ""
    parts: Callable[[BattleNow], CommandParts] = no_parts

    def command(self, battle: BattleNow) -> AnyCommand:
        """The command in the present state."""
        parts = self.parts(battle)
        label, why_not, make = parts.label, parts.why_not, parts.make
        if label is None:
            label = self.help.partition(":")[0]
        if why_not is None:
            why_not = battle.why_not(self.order)
        if make is None:
            make = self.order
        return Command(
            key=self.key,
            verb=self.verb,
            group=self.group,
            topic=f"mode {self.verb}",
            help=self.help,
            label=label,
            word=self._word_of(parts, battle),
            why_not=why_not,
            make=make,
            slots=parts.slots,
            toggles=parts.toggles,
            given=parts.given,
            preview=parts.preview,
            words_for_others=parts.words_for_others,
            after=parts.after,
            seeded=parts.seeded,
            reopens=parts.reopens,
            by_key_only=parts.by_key_only,
        )

    def _word_of(self, parts: CommandParts, battle: BattleNow) -> str:
        """The word on the key strip; empty where the command is not shown there."""
        if parts.word is not None:
            return parts.word
        # While something is asked the strip has the keys of the question.
        if not parts.on_strip or battle.why_waits:
            return ""
        return self.word or self.verb.replace("_", " ")


def key(
    sign: str, verb: str, group: str, order: type[Order], help: str, *, word: str = ""
) -> Callable[[Callable[[BattleNow], CommandParts]], Declared]:
    """Declares a command above the function that returns its parts. The name of that function then
    means the declaration."""
    # The function below takes the place of the one field that is missing, ``parts``.
    return partial(Declared, sign, verb, group, order, help, word)


class BattleNow:
    """The battle as its commands see it: the rows of a side as options, and the checks that are
    common to all commands."""

    def __init__(self, state: State, weights: Callable[[], CommanderWeights] | None = None) -> None:
        """``weights``: of the program's commander, where one can be appointed."""
        self.state = state
        self.mover = state.mover
        self._weights = weights

    def commander_weights(self) -> CommanderWeights | None:
        """The weights by which the program's commander decides, as today's data has them."""
        if self._weights is None:
            return None
        return self._weights()

    @cached_property
    def why_over(self) -> str:
        """The refusal of every order once the battle is over; else empty."""
        if self.state.outcome is None:
            return ""
        return "The battle is over; Backspace opens it again."

    @cached_property
    def why_waits(self) -> str:
        """Why an order that needs a battle at rest cannot be given now; else empty."""
        if self.why_over:
            return self.why_over
        refusal = waiting_for(self.state)
        if refusal is None:
            return ""
        return refusal.message

    @cached_property
    def why_clock_waits(self) -> str:
        """Why the clock cannot go on now; else empty."""
        if self.why_over:
            return self.why_over
        refusal = draw_waited_for(self.state)
        if refusal is None:
            return ""
        # The question itself says that Esc takes the order back.
        return refusal.message

    def why_not(self, order: type[Order]) -> str:
        """Why no order of this kind can be given now, whatever its fields."""
        # Nothing stops the other two kinds: an "answer" is given while something is asked, and
        # what may "always" be done may be done after the end too.
        reasons = {
            "at rest": self.why_waits,
            "any time": self.why_over,
            "clock": self.why_clock_waits,
        }
        return reasons.get(order.when, "")

    def people(self, side: str) -> str:
        """What the members of a side are called: ``Germans``."""
        return self.state.setup.side_by_id[side].people

    def enemy(self, side: str) -> str:
        """The id of the other side."""
        return self.state.setup.enemy_of(side).id

    def option(self, row: Row, note: str = "", why_not: str = "", **more: Any) -> Option:
        """A row by its letter; with its contingent if the side has several of that name."""
        labels_of_side = [own_row.unit.short for own_row in rows(self.state, row.side)]
        label = row.unit.short
        if labels_of_side.count(label) > 1:
            label = f"{label}, {row.contingent.name}"
        return Option(
            value=row.key, label=label, key=row.letter, note=note, why_not=why_not, **more
        )

    def options(self, side: str) -> tuple[Option, ...]:
        """All rows of a side by their letters."""
        return tuple(self.option(row) for row in rows(self.state, side))

    def pointed(self, side: str) -> tuple[Option, ...]:
        """Rows without a letter now: they can be chosen with the mouse."""
        return tuple(replace(option, pointed=True) for option in self.options(side))

    def choose(
        self,
        name: str,
        text: str,
        side: str,
        options: Iterable[Option],
        *,
        tab: bool = True,
        digit: str | None = None,
        **more: Any,
    ) -> Choose:
        """A question for a row of a side. ``tab``: Tab leads to the other side's rows; ``digit`` is
        the message where a number is typed in place of a letter, if it is not the usual one; empty:
        the question itself says enough."""
        refusal_of_digit: UnfitAnswer | None = None
        if digit is None:
            refusal_of_digit = UnfitAnswer(LETTER_WANTED, key_note=ESC_DROPS)
        elif digit:
            refusal_of_digit = UnfitAnswer(digit)
        unknown = partial(self.no_row, side, tab=tab, digit=refusal_of_digit)
        return Choose(
            name=name, text=text, options=tuple(options), rows=True, unknown=unknown, **more
        )

    def no_row(
        self, side: str, letter: str, *, tab: bool = False, digit: UnfitAnswer | None = None
    ) -> UnfitAnswer | None:
        """The refusal of a letter that no row of a side has. With ``tab`` it names the keys for the
        other side's row of that letter. What is no letter is refused with ``digit``."""
        if not letter[:1].isalpha():
            return digit
        setup, enemy = self.state.setup, self.enemy(side)
        text = f"There is no {setup.owned_by(side, f'row {letter}')}"
        letters_there = {row.letter for row in rows(self.state, enemy)}
        if tab and letter in letters_there:
            one_of_them = a_unit(setup.owned_by(enemy, "one"))
            return UnfitAnswer(f"{text}, but {one_of_them}: press Tab, then {letter}.")
        return UnfitAnswer(f"{text}.")

    def which_contingent(
        self, side: str, text: str, *, only_who_draws: bool = False
    ) -> tuple[Slot, ...]:
        """The question for the contingent whose quality counts; none where all are alike.
        ``only_who_draws``: those who draw no command cards cannot be chosen."""
        if not qualities_differ(self.state, side):
            return ()
        answers, no_draws = [], {}
        for contingent, quality in qualities_here(self.state, side).items():
            if quality is None:
                continue
            label = f"{contingent.name}: {quality.name.lower()}"
            answers.append((contingent.id, label))
            if only_who_draws and not draws_for_command(quality):
                no_draws[contingent.id] = "They draw no command cards."
        options = []
        for option in numbered_options(answers):
            options.append(replace(option, why_not=no_draws.get(option.value, "")))
        return (Choose(name="contingent", text=text, options=tuple(options)),)

    @property
    def who_tests(self) -> str:
        """Which of several groups of different quality to name for a draw (C18)."""
        if most_decide(self.state):
            return "largest"
        return "worst"

    def other_side(self, facts: Answers) -> tuple[Toggle, ...]:
        """Tab: the same command for the other side."""
        enemy = self.enemy(facts["side"])
        return (Toggle(name="side", key="tab", label=self.people(enemy), sets={"side": enemy}),)

    # ------------------------------------------------------------------ a number and a row

    def numbered(
        self,
        make: Callable[..., AnyOrder],
        asks: str,
        *,
        side: str | None = None,
        hint: Callable[[str], str] | None = None,
        key_note: str = "",
        either: bool = False,
        new: bool = False,
        most: Callable[[Row], int] | None = None,
        on_strip: bool = True,
    ) -> CommandParts:
        """An optional number and a letter; Tab switches sides. ``asks`` is the end of the question
        ``German units …``, and ``hint`` a sentence behind it. ``either``: a letter that the side
        does not have names a row of the other; ``new``: Enter adds a new type of unit; ``most``:
        how many of a row there are, of which more are refused."""
        question = _NumberedRow(
            self, asks=asks, hint=hint, key_note=key_note, either=either, new=new, most=most
        )

        def made(
            side: str, row: str, count: int | None = None, kind: str = "", fewer: int | None = None
        ) -> AnyOrder:
            number = 1
            if count is not None:
                number = fewer or count  # the answer where there are not so many
            if row == NEW_KIND:
                return self.added(side, kind, number)
            return make(row=row, count=number)

        return CommandParts(
            # Most of these orders are about losses, and so about those who are fired at.
            given={"side": side or self.enemy(self.state.firing_side)},
            slots=question.slots,
            toggles=self.other_side,
            make=made,
            on_strip=on_strip,
        )

    def kinds(self, side: str) -> Iterator[Option]:
        """The types of unit of which the side has no row, by letters that are free."""
        setup = self.state.setup
        units_there = {row.unit.id for row in rows(self.state, side)}
        letters: dict[str, str] = {}
        for unit in setup.catalog.units.values():
            # A unit that exists in one scenario only is never bought nor added.
            if unit.id in units_there or unit.source == "scenario":
                continue
            letter = setup.free_letter(unit.id, letters)
            letters[letter] = unit.id
            yield Option(value=unit.id, label=unit.short, key=letter)

    def added(self, side: str, kind: str, count: int) -> AnyOrder:
        """Adds to the side's first contingent that is on the table, or else to its first."""
        contingents = [part for part in self.state.setup.contingents if part.side == side]
        entered = [part for part in contingents if part.enters <= self.state.clock.turn]
        by_preference = [*entered, *contingents]
        return orders.Add(row=str(RowName(side, by_preference[0].id, kind)), count=count)


class _NumberedRow(NamedTuple):
    """The question for a number and a row, with the arguments of ``BattleNow.numbered``."""

    battle: BattleNow
    asks: str
    hint: Callable[[str], str] | None
    key_note: str
    either: bool
    new: bool
    most: Callable[[Row], int] | None

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """The number and the row, and what follows from them: which new kind, how many instead."""
        side = facts["side"]
        row = self._row_slot(side)
        if facts.get("row") == NEW_KIND:
            text = f"{self.battle.people(side)}: which kind?"
            kinds = tuple(self.battle.kinds(side))
            return (COUNT, row, Choose(name="kind", text=text, options=kinds))
        question = self._too_many(facts)
        if question is not None:
            return (COUNT, row, question)
        return (COUNT, row)

    def _row_slot(self, side: str) -> Choose:
        """The question which row."""
        # "Units" are many, also those of an army called Ben.
        units = capital(self.battle.state.setup.owned_by(side, "units"))
        text = f"{units} {self.asks}"
        if self.hint is not None:
            text = f"{text} {self.hint(side)}"
        default = None
        if self.new:
            default = NEW_KIND
        return self.battle.choose(
            "row",
            text,
            side,
            (*self.battle.options(side), *self._rows_of_enemy(side)),
            key_note=self.key_note,
            default=default,
        )

    def _rows_of_enemy(self, side: str) -> Iterator[Option]:
        """The rows of the enemy. They can be pointed at; with ``either`` also named by letters that
        the side has not."""
        enemy = self.battle.enemy(side)
        own_letters = {option.key for option in self.battle.options(side)}
        for option in self.battle.options(enemy):
            has_letter = self.either and option.key not in own_letters
            yield replace(option, pointed=not has_letter)

    def _too_many(self, facts: Answers) -> Slot | None:
        """The question after a number that is higher than there are of the row."""
        row = find_row(self.battle.state, facts.get("row") or "")
        if self.most is None or row is None:
            return None
        most = self.most(row)
        # Of a row that is gone nothing can be taken in place of the number: the order refuses it.
        if not most:
            return None
        return fewer("fewer", facts.get("count"), most)


def refused(ask: Callable[[], object]) -> str:
    """The refusal that ``ask`` raises, as a sentence; empty if it raises none."""
    try:
        ask()
    except Refused as refusal:
        return str(refusal)
    return ""


def numbered_options(values: Sequence[tuple[Any, str]]) -> tuple[Option, ...]:
    """Options by their number, up to 9; a value and a label each."""
    options = []
    for number, (value, label) in enumerate(values, 1):
        digit = ""
        if number <= MOST_NUMBERED:
            digit = str(number)
        options.append(Option(value=value, label=label, key=digit))
    return tuple(options)
