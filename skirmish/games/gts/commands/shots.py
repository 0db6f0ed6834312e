"""The commands of fire: who, at whom, how far, and what is not read off the counters yet.

``ShotQuestions`` is what a command asks for a shot. It is asked anew after every answer: it makes
the ``Shoot`` of the answers so far, and that order knows what it still needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import msgspec

from skirmish.games.gts.activation import why_not_act
from skirmish.games.gts.combat import (
    UNKNOWN,
    Firer,
    ShotFacts,
    ShotOutcome,
    Target,
)
from skirmish.games.gts.commands.answers import (
    FARTHEST,
    HIGHEST_DEFENSE,
    LOWEST_DEFENSE,
    Commands,
    fields_of,
    own_rolls,
    rating_slot,
)
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.rolls import HIGHEST_ROLL, passes, passing_rolls_text, sum_text
from skirmish.games.gts.ruleset import ASSAULT_MODES, Mode
from skirmish.games.gts.state import NESTS, OBSTACLES, SEA_STATE, GtsState, beach_track
from skirmish.games.gts.units import COASTAL, Marker, leads
from skirmish.tabletop.commands import (
    Answers,
    Command,
    OnOff,
    Toggle,
    cycling_toggle,
    on_off_toggles,
)
from skirmish.tabletop.companion.asking import counter_options, place_slot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.rating_slots import RatingAnswer, typed_ratings
from skirmish.tabletop.companion.roll_preview import chances_of
from skirmish.tabletop.companion.typed_slots import value_slots, values_of
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    Confirm,
    Number,
    Option,
    Slot,
    choice_of,
    choice_of_names,
)

COMMUNITY_WORDS = "community values"
"""Stands beside a result that comes out of them, since the owner's card may differ."""
BY_NUMBERS = "by numbers"
"""The answer to who fires if it is nothing that is entered: its color and rating are typed."""
BEACH_PREFIX = "board "
"""How the answer to who fires begins if it is a number of a beach. The id of its track follows."""
NO_UNIT, EMPTY_HEX = "no unit", "empty hex"
"""The answers to who is fired at if it is a unit that is not entered, or nobody."""
HIGHEST_RATING_BY_NUMBERS = 20
"""The highest rating that can be typed for what is not entered; nothing fires with a higher one."""
HIGHEST_MASS = 10
"""The most steps in a hex that can be chosen. More than 8 change nothing."""
ZONE_LABELS = {"": "zone to zone", "to_zone": "from zone to zone", "left": "out of the zones"}
"""How the target of opportunity fire moved, as labels of the key that changes it. The first
stands there until a player says how."""
BONUS_LABELS = {None: "bonus rolled", True: "company bonus", False: "no company bonus"}
"""Whether the firer has the company bonus, as the players say; None: it is rolled for."""


class BeachRow(NamedTuple):
    """The row of the fire table for a number of a beach; ``plain``: no modifier counts."""

    color: str
    plain: bool


BEACH_ROWS = {
    NESTS: BeachRow("pink", plain=False),
    OBSTACLES: BeachRow("white", plain=True),
    SEA_STATE: BeachRow("blue", plain=True),
}
"""The numbers of a beach that fire, by their labels (N16, N18, N30)."""


class FireCommand(NamedTuple):
    """A kind of fire, with the label and the key of its command."""

    mode: Mode
    label: str
    key: str


FIRE_COMMANDS = (
    FireCommand("direct", "Direct fire", "f"),
    FireCommand("op", "Opportunity fire", "o"),
    FireCommand("indirect", "Indirect fire", "i"),
    FireCommand("assault", "Shot of an assaulter", "s"),
    FireCommand("defense", "Shot of an assaulted unit", "d"),
)


def shot_commands(state: GtsState) -> Commands:
    """A command for each kind of fire."""
    for mode, label, key in FIRE_COMMANDS:
        questions = ShotQuestions(state, mode)
        word = ""
        if questions.is_on_strip:
            word = label.lower()
        yield Command(
            label=label,
            key=key,
            word=word,
            group="Fire",
            slots=questions.slots,
            toggles=questions.toggles,
            preview=questions.preview,
            make=questions.make,
        )


class ShotQuestions(msgspec.Struct, frozen=True):
    """What is asked for a shot of one kind of fire, by the answers so far."""

    state: GtsState
    mode: Mode

    @property
    def is_on_strip(self) -> bool:
        """Whether this kind of fire is likely to be wanted now, so that the strip of keys shows
        it."""
        state = self.state
        # A box of the naval chart says which kind of fire comes now.
        if state.chart == "naval":
            return state.doing == self.mode
        if self.is_in_assault:
            return state.chart == "assault"
        return state.setup.scope == "fire" or state.phase_id == "activations"

    @property
    def is_in_assault(self) -> bool:
        """Whether it is a shot of an assault, for which no range is asked."""
        return self.mode in ASSAULT_MODES

    @property
    def is_indirect(self) -> bool:
        """Whether it is indirect fire, which may be aimed at an empty hex."""
        return self.mode == "indirect"

    def make(self, **answers: Any) -> Shoot:
        """The order, called as a command calls it: with the answers as arguments."""
        return self._shot(answers)

    def _shot(self, answers: Answers) -> Shoot:
        """The shot of the answers so far."""
        firer, target = answers.get("unit", ""), answers.get("target", "")
        facts = self._facts(answers)
        # The order names units only; of anything else the facts have all that counts.
        if firer == BY_NUMBERS or firer.startswith(BEACH_PREFIX):
            firer = ""
        if target in (NO_UNIT, EMPTY_HEX):
            target = ""
        return Shoot(
            **fields_of(answers, Shoot),
            firer=firer,
            target=target,
            facts=facts,
            printed=typed_ratings(answers),
            values=values_of(answers),
            numbers=own_rolls(answers, "check", "number"),
        )

    def _facts(self, answers: Answers) -> ShotFacts:
        """What the answers say of the shot itself. Color and rating are among them only where no
        unit fires; a unit has them on its counter."""
        facts: dict[str, Any] = {"color": "", "rating": 0, **fields_of(answers, ShotFacts)}
        firer = answers.get("unit", "")
        if firer.startswith(BEACH_PREFIX):
            track_id = firer.removeprefix(BEACH_PREFIX)
            row = _beach_row(track_id)
            facts["color"] = row.color
            facts["rating"] = self.state.tracks[track_id].value
            facts["plain"] = row.plain
        facts["mode"] = self.mode
        facts["empty"] = answers.get("target") == EMPTY_HEX
        facts["target"] = Target(**fields_of(answers, Target))
        facts["firer"] = Firer(**fields_of(answers, Firer))
        return ShotFacts(**facts)

    # -------------------------------------------------------------- slots

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        """The questions, as far as they are known after these answers."""
        return tuple(self._questions(answers))

    def _questions(self, answers: Answers) -> Iterator[Slot]:
        """The questions in their order: each depends on the answers before it."""
        yield from self._firer_and_target_slots(answers)
        if not self.is_in_assault:
            yield Number(
                name="range", text="How many hexes away?", low=1, high=FARTHEST, eager=True
            )
        firer, target = answers.get("unit"), answers.get("target")
        # All other questions depend on the firer and the target, and on the rating of a firer that
        # is not entered.
        lacks_rating = firer == BY_NUMBERS and "rating" not in answers
        if firer is None or target is None or lacks_rating:
            return
        shot = self._shot(answers)
        if self.is_indirect and shot.fires_from_ship(self.state):
            yield from self._ship_slots()
        for unread in shot.unread(self.state):
            for name in unread.names:
                yield self._printed_slot(self.state.counters[unread.unit], name)
        if self._is_read_off(shot):
            yield from value_slots(self.state, shot.missing(self.state), answers)
            yield from self._roll_slots(shot, answers)

    def _firer_and_target_slots(self, answers: Answers) -> Iterator[Slot]:
        """The firer and the target, with what is asked about those that are no units."""
        state = self.state
        # Lists of hundreds of units take long and are needed at each key, so each is made once for
        # a state.
        yield state.once(("firers", self.mode), self._firer_slot)
        firer = answers.get("unit")
        if firer == BY_NUMBERS:
            yield self._fire_color_slot("color", "Which row of the fire table?")
            text = "What is the rating?"
            yield Number(name="rating", text=text, high=HIGHEST_RATING_BY_NUMBERS, eager=True)
        unit = state.counters.counters.get(firer or "")
        side = ""
        if unit:
            side = unit.side
        yield state.once(("targets", side, self.is_indirect), partial(self._target_slot, side))
        target = answers.get("target")
        if target == NO_UNIT:
            text = "What is its defense rating?"
            yield Number(name="defense", text=text, low=LOWEST_DEFENSE, high=HIGHEST_DEFENSE)
            yield _armored_slot("armored", "the target")
        if target == EMPTY_HEX:
            yield place_slot("Which hex is it?")

    def _ship_slots(self) -> Iterator[Slot]:
        """How far off the coast the ship is, and which beach it lies off, whose telephone lines its
        fire may cut (N2, N10)."""
        yield Number(name="box", text="What is the number of its range box?", high=FARTHEST)
        if self.state.beaches:
            yield choice_of_names("beach", "Off which beach?", self.state.beaches)

    def _why_no_fire(self, unit: Counter) -> str:
        """Why a unit may not fire in this way; empty if it may."""
        if leads(unit):
            return "A leader does not fire."
        # In an assault even the suppressed fire (G26), and nobody needs a chit for it.
        if self.is_in_assault:
            return ""
        if unit.has(Marker.SUPPRESSED) and not self.state.rules.suppressed_may_fire:
            return f"{unit.name} is suppressed."
        # Opportunity fire is a reaction: it needs no chit, and the one in play is the enemy's.
        if self.mode == "op":
            return ""
        return why_not_act(self.state, unit, "fire")

    def _firer_slot(self) -> Slot:
        """Who fires: a unit, a number of a beach, or something that is not entered."""
        state = self.state
        units = counter_options(state.units(), self._why_no_fire, state.counters.codes)
        label = "by numbers: nests, obstacles, ships"
        by_numbers = Option(value=BY_NUMBERS, label=label, key="0")
        options = (*units, *self._beach_options(), by_numbers)
        return Choose(name="unit", text="Who fires?", options=options)

    def _beach_options(self) -> Iterator[Option]:
        """The numbers of beaches that may fire: one that has come down to 0 no longer does."""
        for beach in self.state.beaches:
            for label in BEACH_ROWS:
                track = self.state.tracks[beach_track(beach, label)]
                if track.value:
                    yield Option(
                        value=f"{BEACH_PREFIX}{track.id}", label=track.name, note=str(track.value)
                    )

    def _target_slot(self, firing_side: str) -> Slot:
        """At whom it fires: a unit of another side, or something that is not entered. The side is
        empty if no unit fires; then all units are targets."""
        foes = []
        for unit in self.state.units():
            if unit.side != firing_side and not leads(unit):
                foes.append(unit)
        options = [*counter_options(foes, letters=self.state.counters.codes)]
        options.append(Option(value=NO_UNIT, label="a unit not entered", key="0"))
        if self.is_indirect:
            options.append(Option(value=EMPTY_HEX, label="an empty hex", key="1"))
        return Choose(name="target", text="At which unit?", options=tuple(options))

    def _fire_color_slot(self, name: str, text: str) -> Slot:
        """The question for the color of a rating, which is the row of the fire table."""
        options = []
        for id, color in self.state.rules.colors.items():
            options.append(Option(value=id, label=id, key=color.key, note=color.text))
        return Choose(name=name, text=text, options=tuple(options))

    def _printed_slot(self, unit: Counter, name: str) -> Slot:
        """The question for what is printed on a counter: ``name`` is one of those of ``Unread``."""
        answer = RatingAnswer(name, unit.id).name
        if name == "color":
            return self._fire_color_slot(answer, f"What color is the fire rating of {unit.name}?")
        if name == "assault_color":
            text = f"What color is the assault rating of {unit.name}?"
            return self._fire_color_slot(answer, text)
        if name == "armored":
            return _armored_slot(answer, unit.name)
        return rating_slot(unit, name, answer)

    def _is_read_off(self, shot: Shoot) -> bool:
        """Whether everything that the shot needs of its counters is known or was just typed."""
        for unread in shot.unread(self.state):
            typed = shot.printed.get(unread.unit, {})
            if any(name not in typed for name in unread.names):
                return False
        return True

    def _roll_slots(self, shot: Shoot, answers: Answers) -> Iterator[Slot]:
        """The player's own rolls, or a confirmation where the program rolls."""
        state = self.state
        # While a modifier is missing, it is not known which rolls there will be.
        if shot.missing(state) or not state.dice.typed:
            yield Confirm(name="number", key_note="Space rolls.", optional=True)
            return
        check = shot.check(state)
        if check is not None:
            passing = passing_rolls_text(check.needs, literal=state.rules.less_than_is_literal)
            text = f"What did you roll for {_purpose_of_check(state, shot)} ({passing})?"
            yield Number(name="check", text=text, high=HIGHEST_ROLL)
            # Without the bonus the shot is fired all the same; after any other check that fails
            # there is no shot, and nothing else is rolled.
            decides_on_shot = bool(shot.purpose_of_first_roll(state))
            if decides_on_shot and not self._passed(check.needs, answers.get("check")):
                return
        yield Number(name="number", text="What did you roll for the shot?", high=HIGHEST_ROLL)

    def _passed(self, needs: int, roll: int | None) -> bool:
        """Whether a roll passes a check; no, while it is not typed (None)."""
        if roll is None:
            return False
        return passes(needs, roll, literal=self.state.rules.less_than_is_literal)

    # -------------------------------------------------------------- toggles

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        """What no counter shows and the player may say of the shot, once he has said who fires at
        whom."""
        target = answers.get("target")
        if target is None:
            return ()
        # Until this is answered, the key n says that the target is not armored, and cannot be that
        # of the toggle "near".
        if target == NO_UNIT and "armored" not in answers:
            return ()
        shot = self._shot(answers)
        if not self._is_read_off(shot):
            return ()
        return tuple(self._circumstances(shot, answers))

    def _circumstances(self, shot: Shoot, answers: Answers) -> Iterator[Toggle]:
        """The toggles that count in this kind of fire."""
        yield from on_off_toggles(self._on_off_circumstances(shot), answers)
        if self.mode == "op":
            yield cycling_toggle("zone", "z", shot.facts.zone, ZONE_LABELS)
        if self.is_in_assault:
            yield cycling_toggle("bonus", "y", shot.bonus_known(self.state), BONUS_LABELS)
        # The first stands for open ground, which has no modifier.
        terrain_labels = {"": "terrain"}
        for name in self.state.tables.terrains:
            terrain_labels[name] = name
        yield cycling_toggle("terrain", "t", shot.facts.target.terrain, terrain_labels)
        yield self._mass_toggle(shot)

    def _on_off_circumstances(self, shot: Shoot) -> Iterator[OnOff]:
        """The circumstances of this kind of fire that hold or do not."""
        state, mode = self.state, self.mode
        if shot.firer:
            yield OnOff("out", "o", "firer out of command")
        # With a point spent nothing is rolled for, but the player may take the point back.
        bonus_is_open = shot.rolls_for_bonus(state) or shot.spend
        if shot.may_have_bonus(state) and bonus_is_open:
            yield OnOff("spend", "s", "1 CP for the company bonus")
        if self.is_in_assault:
            yield OnOff("assault_rating", "a", "with the assault rating")
        if mode in ("direct", "op"):
            yield OnOff("near", "n", "beside an enemy: range 1")
        if self.is_indirect and self._sight_matters(shot):
            yield OnOff("sees", "e", "firer sees the target")
        if shot.firer:
            yield OnOff("bocage", "b", "firer in bocage")
        if not self.is_indirect:
            yield OnOff("hill", "h", "target on a hill")
            yield OnOff("ridge", "r", "behind a ridge")
        if mode == "op":
            yield OnOff("running", "u", "running from an assault")
        if self.is_indirect:
            yield OnOff("counter_battery", "c", "counter-battery")
        if not shot.firer:
            yield OnOff("plain", "p", "no modifiers")

    def _sight_matters(self, shot: Shoot) -> bool:
        """Whether it matters that the firer sees its target itself: it does for ships and coastal
        batteries (I3, N7)."""
        if not shot.firer:
            return False
        return shot.fires_from_ship(self.state) or self.state.counters[shot.firer].kind == COASTAL

    def _mass_toggle(self, shot: Shoot) -> Toggle:
        """The steps in the hex of the target: each press adds one, and after the highest comes
        0."""
        typed = shot.facts.mass
        target = self.state.counters.counters.get(shot.target)
        # Nothing is known of the hex of a target that is not entered. One step has no modifier.
        steps = 1
        if typed is not None:
            steps = typed
        elif target:
            steps = self.state.steps_in_hex(target)
        next_steps = steps + 1
        if next_steps > HIGHEST_MASS:
            next_steps = 0
        return Toggle(
            name="mass",
            key="m",
            label=f"{steps} steps in the hex",
            sets={"mass": next_steps},
            mark=typed is not None,
        )

    # -------------------------------------------------------------- preview

    def preview(self, answers: Answers) -> Page:
        """The shot in words; and once all is answered, the number that it needs and its chances, or
        why it is not possible."""
        if answers.get("target") is None:
            return Page("")
        state = self.state
        shot = self._shot(answers)
        has_range = self.is_in_assault or answers.get("range") is not None
        is_answered = has_range and self._is_read_off(shot) and not shot.missing(state)
        if not is_answered:
            return Page("", (Paragraph("", lead=shot.text(state)),))
        lead = f"{shot.text(state)}:"
        try:
            outcome, chances = shot.weighed(state)
        except Refused as refused:
            key_note = ""
            # What is not firm is advice, which players may overrule.
            if not refused.refusal.firm:
                key_note = "! does it anyway."
            text = str(refused)
            return Page("", (Paragraph(text, lead=lead, tone="bad", key_note=key_note),))
        chances_by_name = {_result_name(result): chance for result, chance in chances.items()}
        return Page("", chances_of(lead, self._needed_rolls(shot, outcome), chances_by_name))

    def _needed_rolls(self, shot: Shoot, outcome: ShotOutcome) -> str:
        """In words: the number that the shot needs, the part of the table that it uses, and the
        roll before it, if there is one."""
        literal = self.state.rules.less_than_is_literal
        needed = sum_text(outcome.sum, literal=literal)
        text = f"{needed}; {outcome.color} row, {outcome.table} side"
        if self.state.community:
            text += f" ({COMMUNITY_WORDS})"
        text += "."
        check = shot.check(self.state)
        if check is None:
            return text
        purpose = _purpose_of_check(self.state, shot)
        return f"A roll for {purpose}: {sum_text(check, literal=literal)}. Then: {text}"


def _purpose_of_check(state: GtsState, shot: Shoot) -> str:
    """What the roll before a shot is for, in words."""
    return shot.purpose_of_first_roll(state) or "the company bonus"


def _beach_row(track_id: str) -> BeachRow:
    """The row of the fire table for a number of a beach; its track is called ``Utah nests``."""
    for label, row in BEACH_ROWS.items():
        if track_id.endswith(label):
            return row
    # Only tracks with a row are offered as firers.
    raise LookupError(track_id)


def _result_name(result: str) -> str:
    """What a result is called beside its chance."""
    if result == UNKNOWN:
        return "look it up"
    return result


def _armored_slot(name: str, whose: str) -> Slot:
    """The question whether a target counts as armored, which is printed as a black background."""
    no_or_yes = {False: "no", True: "yes"}
    return choice_of(name, f"Is the defense rating of {whose} on black?", no_or_yes, "ny")
