"""The common base of commands about the rows of a battle, and their declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.resolution import Order, waiting_for
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import MOST, TOO_MANY, Choose, Number, Option, Slot, fewer

FIRE, TURN, MOVEMENT, CORRECTIONS, BATTLE = "Fire", "Turn", "Movement", "Corrections", "Battle"
"""The headings of the help."""
NEW_KIND = "a new kind of unit"
COUNT = Number(name="count", text="How many?", low=1, high=MOST, optional=True, too_many=TOO_MANY)
AnyCommand = Command[AnyOrder]
Parts = dict[str, Any]
"""The parts of a command besides its declaration: fields of ``Command``, and ``now``: whether it is
shown on the key strip."""


class Declared(NamedTuple):
    """A command of the battle as the key map and the help see it: the ``order`` it gives, its label
    with a typed example after a colon, and its ``word`` on the key strip, if that is not the
    verb."""

    key: str
    verb: str
    group: str
    order: type[Order]
    help: str
    word: str = ""
    parts: Callable[[Sides], Parts] = lambda at: {}

    def command(self, at: Sides) -> AnyCommand:
        parts = self.parts(at)
        now = parts.pop("now", True) and not at.waits
        fields: Parts = {
            "label": self.help.partition(":")[0],
            "help": self.help,
            "make": self.order,
            "why_not": at.why_not(self.order),
            "word": (self.word or self.verb.replace("_", " ")) * bool(now),
        }
        topic = f"mode {self.verb}"
        return Command(
            key=self.key, verb=self.verb, group=self.group, topic=topic, **{**fields, **parts}
        )


def key(
    sign: str, verb: str, group: str, order: type[Order], help: str, *, word: str = ""
) -> Callable[[Callable[[Sides], Parts]], Declared]:
    return partial(Declared, sign, verb, group, order, help, word)


class Sides:
    """The rows of a battle as options for commands, and the checks common to all commands."""

    def __init__(self, state: State) -> None:
        self.state, self.mover = state, state.mover

    @cached_property
    def over(self) -> str:
        return "The battle is over; Backspace opens it again." if self.state.outcome else ""

    @cached_property
    def waits(self) -> str:
        refusal = None if self.over else waiting_for(self.state)
        return refusal.message if refusal else self.over

    def why_not(self, order: type[Order]) -> str:
        """Why no order of this kind can be given now, whatever its fields."""
        when = {"at rest": self.waits, "beside": self.over, "clock": self.over}
        return when.get(order.when, "")

    def people(self, side: str) -> str:
        return self.state.setup.side_by_id[side].people

    def enemy(self, side: str) -> str:
        return self.state.setup.enemy_of(side).id

    def option(self, row: Row, note: str = "", why_not: str = "", **more: Any) -> Option:
        """A row by its letter; with its block if the side has several of that name."""
        same = sum(other.unit.short == row.unit.short for other in rows(self.state, row.side))
        label = row.unit.short + (f", {row.contingent.name}" if same > 1 else "")
        return Option(
            value=row.key, label=label, key=row.letter, note=note, why_not=why_not, **more
        )

    def options(self, side: str) -> tuple[Option, ...]:
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
        digit: str = "Digits before a letter say how many, the letter who. Esc drops it.",
        **more: Any,
    ) -> Choose:
        unknown = partial(self.no_row, side, tab=tab, digit=digit)
        return Choose(
            name=name, text=text, options=tuple(options), rows=True, unknown=unknown, **more
        )

    def no_row(self, side: str, letter: str, *, tab: bool = False, digit: str = "") -> str:
        """The message for an unknown letter, with the keys for the other side's row of that
        letter."""
        if not letter[:1].isalpha():
            return digit
        setup, other = self.state.setup, self.enemy(side)
        text = f"There is no {setup.of(side, f'row {letter}')}"
        if tab and any(row.letter == letter for row in rows(self.state, other)):
            return f"{text}, but {a_unit(setup.of(other, 'one'))}: press Tab, then {letter}."
        return f"{text}."

    def other_side(self, facts: Answers) -> tuple[Toggle, ...]:
        other = self.enemy(facts["side"])
        return (Toggle(name="side", key="tab", label=self.people(other), sets={"side": other}),)

    # ------------------------------------------------------------------ orders of one breath

    def numbered(
        self,
        make: Callable[..., AnyOrder],
        asks: str,
        *,
        side: str | None = None,
        hint: Callable[[str], str] = lambda side: "",
        either: bool = False,
        new: bool = False,
        most: Callable[[Row], int] | None = None,
        key_note: str = "",
        **more: Any,
    ) -> Parts:
        """An optional number and a letter; Tab switches sides. ``either``: a letter that the side
        does not have names a row of the other; ``new``: Enter adds a new type of unit; ``most``:
        how many of a row there are, of which more are refused."""

        def slots(facts: Answers) -> tuple[Slot, ...]:
            own, foe = facts["side"], self.enemy(facts["side"])
            letters = {one.key for one in self.options(own)}
            named = {one.value: one for one in self.options(foe) if one.key not in letters}
            others = [named.get(one.value, one) if either else one for one in self.pointed(foe)]
            row = self.choose(
                "row",
                f"{self.people(own)} {asks} {hint(own)}".rstrip(),
                own,
                (*self.options(own), *others),
                key_note=key_note,
                default=NEW_KIND if new else None,
            )
            if facts.get("row") != NEW_KIND:
                short = too_many(facts)
                return (COUNT, row) if short is None else (COUNT, row, short)
            text = f"{self.people(own)}: which kind?"
            return (COUNT, row, Choose(name="kind", text=text, options=tuple(self.kinds(own))))

        def too_many(facts: Answers) -> Slot | None:
            chosen = find(self.state, facts.get("row") or "")
            if most is None or chosen is None or not most(chosen):
                return None
            return fewer("fewer", facts.get("count"), most(chosen))

        def made(
            side: str,
            row: str,
            count: int | None = None,
            kind: str = "",
            fewer: int | None = None,
        ) -> AnyOrder:
            number = 1 if count is None else fewer or count
            return (
                self.added(side, kind, number) if row == NEW_KIND else make(row=row, count=number)
            )

        given = {"side": side or self.enemy(self.state.firing_side)}
        return {"given": given, "slots": slots, "toggles": self.other_side, "make": made, **more}

    def kinds(self, side: str) -> Iterator[Option]:
        setup, letters = self.state.setup, dict[str, str]()
        have = {row.unit.id for row in rows(self.state, side)}
        for unit in setup.catalog.units.values():
            if unit.id not in have and unit.source != "scenario":
                letter = setup.free_letter(unit.id, letters)
                letters[letter] = unit.id
                yield Option(value=unit.id, label=unit.short, key=letter)

    def added(self, side: str, kind: str, count: int) -> AnyOrder:
        """Adds to the side's first group that is on the table."""
        groups = [one for one in self.state.setup.contingents if one.side == side]
        now = (one for one in groups if one.enters <= self.state.clock.turn)
        return orders.Add(row=str(RowName(side, next(now, groups[0]).id, kind)), count=count)


def refused(asked: Callable[[], object]) -> str:
    try:
        asked()
    except Refused as refused:
        return refused.refusal.message
    return ""


def numbered_options(values: Sequence[tuple[Any, str]]) -> tuple[Option, ...]:
    """Options by their number, up to 9; a value and a label each."""
    return tuple(
        Option(value=value, label=label, key=str(number) if number < 10 else "")
        for number, (value, label) in enumerate(values, 1)
    )
