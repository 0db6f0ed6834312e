"""The commands of fire: who, at whom, how far, and what is not read off the counters yet.

A ``_Shooting`` is asked again after every answer: it makes the ``Shoot`` of the answers so far, and
that order says what it still needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from skirmish.games.gts.combat import (
    UNKNOWN,
    Firer,
    ShotFacts,
    ShotOutcome,
    Target,
    needed,
    passes,
    text_of,
)
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.ruleset import ASSAULTED, Mode
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import COASTAL, Marker, leads
from skirmish.tabletop.commands import Answers, Command, Toggle, cycling, switches
from skirmish.tabletop.companion.asking import (
    RatingAnswer,
    RatingSlot,
    chances_of,
    counter_options,
    hex_slot,
    typed_ratings,
)
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.typed_tables import value_slots, values_of
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Number, Option, Slot, choice_of

COMMUNITY_WORDS = "community values"
"""Stands where a result comes out of them: they may differ from the owner's card."""
RATING_WORDS = {"tq": "troop quality", "range": "range"}
"""What a rating is called where its id alone does not say it."""
BY_NUMBERS, NO_UNIT, EMPTY_HEX = "by numbers", "no unit", "empty hex"
"""Answers to who fires and at whom that are no unit."""
BOARD = "board "
"""Before the id of its track: a firer that is a number of a beach."""


class FireCommand(NamedTuple):
    """A kind of fire, with the label and the key of its command."""

    mode: Mode
    label: str
    key: str


class BeachRow(NamedTuple):
    """The row of the fire table for a number of a beach; ``plain``: no modifier counts."""

    color: str
    plain: bool


BEACH_ROWS = {
    "nests": BeachRow("pink", plain=False),
    "obstacles": BeachRow("white", plain=True),
    "sea state": BeachRow("blue", plain=True),
}
"""The numbers of a beach that attack (N16, N18, N30)."""
ZONE_LABELS = {"": "zone to zone", "to_zone": "from zone to zone", "left": "out of the zones"}
"""Where a target of opportunity fire moved, as the key beside it names it; empty: not told."""
FARTHEST = 60
"""The longest range that can be typed, in hexes: enough for a ship's gun. No rating is higher, so
it is also the highest of those."""
LOWEST_DEFENSE, HIGHEST_DEFENSE = -20, 20
"""The defense ratings that are taken for one; no counter has as low or as high a one."""
HIGHEST_MASS = 10
"""Steps in a hex that can be chosen; the modifiers end at 8."""
BONUS_LABELS = {None: "bonus rolled", True: "company bonus", False: "no company bonus"}
"""Whether the firer has the company bonus, as the players say; None: it is rolled for."""
OrderT = TypeVar("OrderT", bound=msgspec.Struct)
FIRE_COMMANDS = (
    FireCommand("direct", "Direct fire", "f"),
    FireCommand("op", "Opportunity fire", "o"),
    FireCommand("indirect", "Indirect fire", "i"),
    FireCommand("assault", "Shot of an assaulter", "s"),
    FireCommand("defense", "Shot of an assaulted unit", "d"),
)


def shots(state: GtsState) -> Iterator[Command[Any]]:
    """A command for each kind of fire."""
    for mode, label, key in FIRE_COMMANDS:
        shooting = _Shooting(state, mode)
        word = ""
        # Without a word it still has its key, but no place on the strip.
        if shooting.is_on_strip:
            word = label.lower()
        yield Command(
            label=label,
            key=key,
            word=word,
            group="Fire",
            slots=shooting.slots,
            toggles=shooting.toggles,
            preview=shooting.preview,
            make=shooting.made,
        )


# ------------------------------------------------------------------ answers and orders


def own_rolls(answers: Answers, *names: str) -> tuple[int, ...]:
    """The player's own rolls, in that order, as far as they are typed."""
    return tuple(answers[name] for name in names if answers.get(name) is not None)


def rating_slot(unit: Counter, name: str, id: str) -> Slot:
    """The question for a rating of a unit, by the ``name`` of the rating; ``id``: the name of the
    answer."""
    rating_words = RATING_WORDS.get(name, f"{name} rating")
    low, high = 0, FARTHEST
    # A defense may be below 0; no other rating is.
    if name == "defense":
        low, high = LOWEST_DEFENSE, HIGHEST_DEFENSE
    # Troop quality is rolled against with a die of 0 to 9.
    if name == "tq":
        high = 9
    text = f"What is the {rating_words} of {unit.name}?"
    return RatingSlot(name=id, word=name.upper(), text=text, low=low, high=high)


def order_of_answers(order: type[OrderT], **answers: Any) -> OrderT:
    """The order of these answers, with its rolls and the values of the card."""
    fields = fields_of(answers, order)
    # In the order in which the game draws them; what is not typed is drawn.
    fields["numbers"] = own_rolls(answers, "first", "second", "number")
    if "values" in order.__struct_fields__:
        fields["values"] = values_of(answers)
    return order(**fields)


def fields_of(answers: Answers, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The answers that are fields of a ``kind`` of order, or of facts, under the same name. Four
    fields have no such answer: firer and target, since what is answered may be a number of a beach
    or no unit, and what was typed in, which is put together from several answers."""
    names = {*kind.__struct_fields__} - {"firer", "target", "printed", "values"}
    return {name: answers[name] for name in names if answers.get(name) is not None}


class _Shooting(msgspec.Struct, frozen=True):
    """A shot being put together."""

    state: GtsState
    mode: Mode

    @property
    def is_on_strip(self) -> bool:
        """Whether the strip of keys shows it."""
        state = self.state
        # Of the naval flow chart only the fire is shown to whose box the players have come.
        if state.chart == "naval":
            return state.doing == self.mode
        if self.is_in_assault:
            return state.chart == "assault"
        return state.setup.scope == "fire" or state.phase_id == "activations"

    @property
    def is_in_assault(self) -> bool:
        """Whether it is a shot of an assault, for which no range is asked."""
        return self.mode in ASSAULTED

    @property
    def indirect(self) -> bool:
        """Whether it is indirect fire, which may be aimed at an empty hex."""
        return self.mode == "indirect"

    def made(self, **answers: Any) -> Shoot:
        """The shot, as a command makes its order."""
        return self.shot(answers)

    def shot(self, answers: Answers) -> Shoot:
        """The shot of the answers so far."""
        firer, target = answers.get("unit", ""), answers.get("target", "")
        # Color and rating are answers only where no unit fires; a unit has them on its counter.
        facts: dict[str, Any] = {"color": "", "rating": 0} | fields_of(answers, ShotFacts)
        if firer.startswith(BOARD):
            # A number of a beach fires like a unit whose counter has only this number.
            facts |= self._facts_of_board(firer.removeprefix(BOARD))
        facts |= {
            "mode": self.mode,
            "empty": target == EMPTY_HEX,
            "target": Target(**fields_of(answers, Target)),
            "firer": Firer(**fields_of(answers, Firer)),
        }
        if firer == BY_NUMBERS or firer.startswith(BOARD):
            firer = ""
        if target in (NO_UNIT, EMPTY_HEX):
            target = ""
        return Shoot(
            **fields_of(answers, Shoot),
            firer=firer,
            target=target,
            facts=ShotFacts(**facts),
            printed=typed_ratings(answers),
            values=values_of(answers),
            numbers=own_rolls(answers, "check", "number"),
        )

    def _facts_of_board(self, id: str) -> dict[str, Any]:
        """The color and the rating of a number of a beach, by the id of its track, such as ``Utah
        nests``."""
        track = self.state.tracks[id]
        for name, row in BEACH_ROWS.items():
            if id.endswith(name):
                return {"color": row.color, "rating": track.value, "plain": row.plain}
        # A track of a beach without a row in the fire table is never offered.
        raise LookupError(id)

    # -------------------------------------------------------------- what is asked

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        return tuple(self._asked(answers))

    def _asked(self, answers: Answers) -> Iterator[Slot]:
        """The questions of the shot, one after the other: each depends on the answers before it."""
        yield from self._who_and_whom(answers)
        if not self.is_in_assault:
            yield Number(
                name="range", text="How many hexes away?", low=1, high=FARTHEST, eager=True
            )
        firer, target = answers.get("unit"), answers.get("target")
        # What comes next depends on both: before that nothing can be asked in the right order.
        lacks_rating = firer == BY_NUMBERS and "rating" not in answers
        if firer is None or target is None or lacks_rating:
            return
        shot = self.shot(answers)
        if self.indirect and shot.fires_from_ship(self.state):
            yield from self._ship_slots()
        for unread in shot.needs(self.state):
            for name in unread.names:
                yield self._printed_slot(self.state.counters[unread.unit], name)
        if self._is_read_off(shot):
            yield from value_slots(self.state, shot.missing(self.state), answers)
            yield from self._roll_slots(shot, answers)

    def _who_and_whom(self, answers: Answers) -> Iterator[Slot]:
        """The firer and the target, with what is asked of those that are no units."""
        state = self.state
        # Of hundreds of units the list takes long, and each key asks for it again.
        yield state.once(("firers", self.mode), self._firer_slot)
        firer = answers.get("unit")
        if firer == BY_NUMBERS:
            yield self._fire_color_slot("color", "Which row of the fire table?")
            yield Number(name="rating", text="What is the rating?", high=20, eager=True)
        unit = state.counters.counters.get(firer or "")
        side = ""
        if unit:
            side = unit.side
        yield state.once(("targets", side, self.indirect), partial(self._target_slot, side))
        target = answers.get("target")
        if target == NO_UNIT:
            text = "What is its defense rating?"
            yield Number(name="defense", text=text, low=LOWEST_DEFENSE, high=HIGHEST_DEFENSE)
            yield _armored_slot("armored", "the target")
        if target == EMPTY_HEX:
            yield hex_slot("Which hex is it?")

    def _ship_slots(self) -> Iterator[Slot]:
        """How far off the ship is, and whose telephone lines it may cut (N2, N10)."""
        yield Number(name="box", text="What is the number of its range box?", high=FARTHEST)
        if self.state.beaches:
            beaches = [(beach, beach) for beach in self.state.beaches]
            yield choice_of("beach", "Off which beach?", beaches)

    def _why_no_fire(self, unit: Counter) -> str:
        """Why a unit does not fire so; empty if it may."""
        if leads(unit):
            return "A leader does not fire."
        # In an assault even the suppressed fire (G26), and nobody needs a chit for it.
        if self.is_in_assault:
            return ""
        if unit.has(Marker.SUPPRESSED) and self.state.rules.rulings["G26"] == "no":
            return f"{unit.name} is suppressed."
        if self.mode == "op":
            # It is a reaction, in the activation of the other side.
            return ""
        return self.state.why_not_act(unit, "fire")

    def _firer_slot(self) -> Slot:
        """Who fires: a unit, a number of a beach, or what has only a number and a color."""
        state = self.state
        options = [*counter_options(state.units(), self._why_no_fire, state.counters.codes)]
        for beach in state.beaches:
            for row in BEACH_ROWS:
                track = state.tracks[f"{beach} {row}"]
                # A number that has come down to 0 no longer fires.
                if track.value:
                    value, note = BOARD + track.id, str(track.value)
                    options.append(Option(value=value, label=track.name, note=note))
        label = "by numbers: nests, obstacles, ships"
        options.append(Option(value=BY_NUMBERS, label=label, key="0"))
        return Choose(name="unit", text="Who fires?", options=tuple(options))

    def _target_slot(self, side: str) -> Slot:
        """The units of other sides than the firer's; all, if it is no unit."""
        foes = [unit for unit in self.state.units() if unit.side != side and not leads(unit)]
        options = [*counter_options(foes, codes=self.state.counters.codes)]
        options.append(Option(value=NO_UNIT, label="a unit not entered", key="0"))
        if self.indirect:
            options.append(Option(value=EMPTY_HEX, label="an empty hex", key="1"))
        return Choose(name="target", text="At which unit?", options=tuple(options))

    def _fire_color_slot(self, name: str, text: str) -> Slot:
        """The colors of fire ratings, each a row of the fire table."""
        options = []
        for id, color in self.state.rules.colors.items():
            options.append(Option(value=id, label=id, key=color.key, note=color.text))
        return Choose(name=name, text=text, options=tuple(options))

    def _printed_slot(self, unit: Counter, name: str) -> Slot:
        """The question for something that is printed on a counter."""
        id = RatingAnswer(name, unit.id).name
        if name == "color":
            return self._fire_color_slot(id, f"What color is the fire rating of {unit.name}?")
        if name == "assault_color":
            return self._fire_color_slot(id, f"What color is the assault rating of {unit.name}?")
        if name == "armored":
            return _armored_slot(id, unit.name)
        return rating_slot(unit, name, id)

    def _is_read_off(self, shot: Shoot) -> bool:
        """Whether everything that the shot needs is read off the counters."""
        for unread in shot.needs(self.state):
            typed = shot.printed.get(unread.unit, {})
            if any(name not in typed for name in unread.names):
                return False
        return True

    def _roll_slots(self, shot: Shoot, answers: Answers) -> Iterator[Slot]:
        """The player's own rolls, or a confirmation where the program rolls."""
        state = self.state
        # Without the modifiers it is not known what has to be rolled, so that no roll can be asked
        # for.
        if shot.missing(state) or not state.dice.typed:
            yield Confirm(name="number", key_note="Space rolls.", optional=True)
            return
        check = shot.check(state)
        if check is not None:
            first_roll = shot.first_roll(state)
            purpose = first_roll or "the company bonus"
            text = f"What did you roll for {purpose} ({needed(check.needs)})?"
            yield Number(name="check", text=text, high=9)
            # A failed check ends the order: there is no shot to roll for.
            if first_roll and not self._passed(check.needs, answers.get("check")):
                return
        yield Number(name="number", text="What did you roll for the shot?", high=9)

    def _passed(self, needs: int, roll: int | None) -> bool:
        """Whether a roll passes; not before it is typed."""
        if roll is None:
            return False
        return passes(needs, roll, literal=self.state.rules.literal)

    # -------------------------------------------------------------- what can be changed

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        """What no counter shows, once it is known who fires at whom."""
        target = answers.get("target")
        if target is None:
            return ()
        # Until it is known whether the target is armored, n is an answer and must be no toggle.
        if target == NO_UNIT and "armored" not in answers:
            return ()
        shot = self.shot(answers)
        if not self._is_read_off(shot):
            return ()
        return tuple(self._circumstances(shot, answers))

    def _circumstances(self, shot: Shoot, answers: Answers) -> Iterator[Toggle]:
        """What no counter shows, as far as it counts in this kind of fire."""
        yield from switches(self._switched(shot), answers)
        if self.mode == "op":
            yield cycling("zone", "z", shot.facts.zone, ZONE_LABELS)
        if self.is_in_assault:
            yield cycling("bonus", "y", shot.bonus_known(self.state), BONUS_LABELS)
        # First none: in the open the sum has no terrain.
        grounds = {"": "terrain", **{name: name for name in self.state.tables.terrains}}
        yield cycling("terrain", "t", shot.facts.target.terrain, grounds)
        yield self._mass_toggle(shot)

    def _switched(self, shot: Shoot) -> Iterator[tuple[str, str, str]]:
        """The circumstances that hold or do not: the name, the key and the label of each."""
        state, mode = self.state, self.mode
        if shot.firer:
            yield "out", "o", "firer out of command"
        # Once the point is spent nothing is rolled for, but the player may take that back.
        bonus_is_open = shot.rolls_for_bonus(state) or shot.spend
        if shot.may_have_bonus(state) and bonus_is_open:
            yield "spend", "s", "1 CP for the company bonus"
        if self.is_in_assault:
            yield "assault_rating", "a", "with the assault rating"
        if mode in ("direct", "op"):
            yield "near", "n", "beside an enemy: range 1"
        if self.indirect and self._needs_own_eyes(shot):
            yield "sees", "e", "firer sees the target"
        if shot.firer:
            yield "bocage", "b", "firer in bocage"
        if not self.indirect:
            yield "hill", "h", "target on a hill"
            yield "ridge", "r", "behind a ridge"
        if mode == "op":
            yield "running", "u", "running from an assault"
        if self.indirect:
            yield "counter_battery", "c", "counter-battery"
        if not shot.firer:
            yield "plain", "p", "no modifiers"

    def _needs_own_eyes(self, shot: Shoot) -> bool:
        """Whether it matters that the firer itself sees the target (I3, N7)."""
        if not shot.firer:
            return False
        return shot.fires_from_ship(self.state) or self.state.counters[shot.firer].kind == COASTAL

    def _mass_toggle(self, shot: Shoot) -> Toggle:
        """The steps in the hex: each press is one more, and after the highest comes 0."""
        typed = shot.facts.mass
        target = self.state.counters.counters.get(shot.target)
        # A target that nobody has entered; with 1 to 3 steps a hex has no modifier.
        steps = 1
        if typed is not None:
            steps = typed
        elif target:
            steps = self.state.steps_in_hex(target)
        after = (steps + 1) % (HIGHEST_MASS + 1)
        return Toggle(
            name="mass",
            key="m",
            label=f"{steps} steps in the hex",
            sets={"mass": after},
            mark=typed is not None,
        )

    def preview(self, answers: Answers) -> Page:
        """The shot in words, the number that it needs, and its chances."""
        if answers.get("target") is None:
            return Page("")
        state = self.state
        shot = self.shot(answers)
        lead = f"{shot.text(state)}:"
        has_range = self.is_in_assault or answers.get("range") is not None
        if not has_range or not self._is_read_off(shot) or shot.missing(state):
            return Page("", (Paragraph("", lead=lead),))
        try:
            expected, chances = shot.weighed(state)
        except Refused as refused:
            key_note = ""
            if not refused.refusal.firm:
                key_note = "! does it anyway."
            text = str(refused)
            return Page("", (Paragraph(text, lead=lead, tone="bad", key_note=key_note),))
        named = {_result_name(result): chance for result, chance in chances.items()}
        return Page("", chances_of(lead, self._needed_in_words(shot, expected), named))

    def _needed_in_words(self, shot: Shoot, outcome: ShotOutcome) -> str:
        """The number that a shot needs, from which part of the table, and the roll before it."""
        text = f"{text_of(outcome.sum)}; {outcome.color} row, {outcome.table} side"
        if self.state.community:
            text += f" ({COMMUNITY_WORDS})"
        text += "."
        check = shot.check(self.state)
        if check is None:
            return text
        purpose = shot.first_roll(self.state) or "the company bonus"
        return f"A roll for {purpose}: {text_of(check)}. Then: {text}"


def _result_name(result: str) -> str:
    """What a result is called beside its chance."""
    if result == UNKNOWN:
        return "look it up"
    return result


def _armored_slot(name: str, whose: str) -> Slot:
    """Whether a target counts as armored, as its counter shows it."""
    rows = ((False, "no"), (True, "yes"))
    return choice_of(name, f"Is the defense rating of {whose} on black?", rows, "ny")
