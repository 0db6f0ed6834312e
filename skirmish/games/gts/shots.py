"""The commands of fire: who, at whom, how far, and what is not read off the counters yet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec

from skirmish.games.gts.combat import Firer, ShotFacts, Target, needed, passes, text_of
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.ruleset import ASSAULTED, Mode
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import Marker, leads
from skirmish.tabletop.commands import Answers, Command, Toggle, cycling, switches
from skirmish.tabletop.companion.asking import (
    RatingSlot,
    called,
    chances_of,
    counter_options,
    typed_ratings,
)
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.typed_tables import value_slots, values_of
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Number, Option, Slot, one_of

COMMUNITY = "community values"
"""Said where a result comes out of them: they may differ from the owner's card."""
WORDS = {"tq": "troop quality", "range": "range"}
BY_NUMBERS, NO_UNIT, EMPTY_HEX = "by numbers", "no unit", "empty hex"
BOARD = "board "
"""A firer that is a number of a beach is called so, with its track."""
ROWS = {"nests": ("pink", False), "obstacles": ("white", True), "sea state": ("blue", True)}
"""The rows of the fire table for them, and whether no modifier counts."""
ZONES = {"": "zone to zone", "to_zone": "from zone to zone", "left": "out of the zones"}
FARTHEST = 60
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741  (an order)
MODES: tuple[tuple[Mode, str, str], ...] = (
    ("direct", "Direct fire", "f"),
    ("op", "Opportunity fire", "o"),
    ("indirect", "Indirect fire", "i"),
    ("assault", "Shot of an assaulter", "s"),
    ("defense", "Shot of an assaulted unit", "d"),
)


def shots(state: GtsState) -> Iterator[Command[Any]]:
    for mode, label, key in MODES:
        one = _Shooting(state, mode)
        yield Command(label=label, key=key, word=label.lower() * one.shown, group="Fire",
                      slots=one.slots, toggles=one.toggles, preview=one.preview,
                      make=one.made)  # fmt: skip


def rolled(answers: Answers, *names: str) -> tuple[int, ...]:
    return tuple(answers[name] for name in names if answers.get(name) is not None)


def rating_slot(unit: Counter, name: str, id: str) -> Slot:
    text = f"What is the {WORDS.get(name, f'{name} rating')} of {unit.name}?"
    low, high = (-20, 20) if name == "defense" else (0, 9 if name == "tq" else FARTHEST)
    return RatingSlot(name=id, short=name.upper(), text=text, low=low, high=high)


def filled(order: type[O], **answers: Any) -> O:
    """The order of these answers, with its rolls and the values of the card."""
    found = fields_of(answers, order) | {"numbers": rolled(answers, "first", "second", "number")}
    if "values" in order.__struct_fields__:
        found["values"] = values_of(answers)
    return order(**found)


def fields_of(answers: Answers, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The answers that are fields of its own."""
    names = {*kind.__struct_fields__} - {"firer", "target", "printed", "values"}
    return {name: answers[name] for name in names if answers.get(name) is not None}


class _Shooting(msgspec.Struct, frozen=True):
    """A shot being put together."""

    state: GtsState
    mode: Mode

    @property
    def shown(self) -> bool:
        """Whether the strip of keys shows it."""
        if self.mode in ASSAULTED or self.state.chart == "naval":
            return self.state.doing == self.mode or self.state.chart == "assault"
        return self.state.setup.scope == "fire" or self.state.now == "activations"

    @property
    def close(self) -> bool:
        return self.mode in ASSAULTED

    def made(self, **answers: Any) -> Shoot:
        return self.shot(answers)

    def shot(self, answers: Answers) -> Shoot:
        """The shot of the answers so far."""
        firer, target = answers.get("unit", ""), answers.get("target", "")
        facts: dict[str, Any] = {"color": "", "rating": 0} | fields_of(answers, ShotFacts)
        if firer.startswith(BOARD):
            track = self.state.tracks[firer.removeprefix(BOARD)]
            row = next(name for name in ROWS if track.id.endswith(name))
            facts |= {"color": ROWS[row][0], "rating": track.value, "plain": ROWS[row][1]}
        facts |= {
            "mode": self.mode,
            "empty": target == EMPTY_HEX,
            "target": Target(**fields_of(answers, Target)),
            "firer": Firer(**fields_of(answers, Firer)),
        }
        return Shoot(
            **fields_of(answers, Shoot),
            firer="" if firer == BY_NUMBERS or firer.startswith(BOARD) else firer,
            target="" if target in (NO_UNIT, EMPTY_HEX) else target,
            facts=ShotFacts(**facts),
            printed=typed_ratings(answers),
            values=values_of(answers),
            numbers=rolled(answers, "check", "number"),
        )

    # -------------------------------------------------------------- what is asked

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        return tuple(self._asked(answers))

    def _asked(self, answers: Answers) -> Iterator[Slot]:
        state = self.state
        yield state.once(("firers", self.mode), self._firers)
        firer = answers.get("unit")
        if firer == BY_NUMBERS:
            yield self._color("color", "Which row of the fire table?")
            yield Number(name="rating", text="What is the rating?", high=20, eager=True)
        own = state.counters.counters.get(firer or "")
        side, empty = own.side if own else "", self.mode == "indirect"
        yield state.once(("targets", side, empty), partial(self._targets, side, empty=empty))
        target = answers.get("target")
        if target == NO_UNIT:
            yield Number(name="defense", text="What is its defense rating?", low=-20, high=20)
            yield _armored_slot("armored", "the target")
        if target == EMPTY_HEX:
            yield called("place", "Which hex is it?", default="")
        if not self.close:
            yield Number(
                name="range", text="How many hexes away?", low=1, high=FARTHEST, eager=True
            )
        if firer is None or target is None or (firer == BY_NUMBERS and "rating" not in answers):
            return
        shot = self.shot(answers)
        if self.mode == "indirect" and shot.ship(state):
            yield Number(name="box", text="What is the number of its range box?", high=FARTHEST)
            if state.beaches:
                rows = ((one, one) for one in state.beaches)
                yield one_of("beach", "Off which beach?", rows)
        for id, names in shot.needs(state):
            for name in names:
                yield self._printed(state.counters[id], name)
        if self._complete(shot):
            yield from value_slots(state, shot.missing(state), answers)
            yield from self._rolls(shot, answers)

    def _why_not(self, unit: Counter) -> str:
        if leads(unit):
            return "A leader does not fire."
        if self.close:
            return ""
        if unit.has(Marker.SUPPRESSED) and self.state.rules.rulings["G26"] == "no":
            return f"{unit.name} is suppressed."
        return "" if self.mode == "op" else self.state.why_not_act(unit, "fire")

    def _firers(self) -> Slot:
        state = self.state
        able = counter_options(state.units(), self._why_not, state.counters.codes)
        boards = tuple(
            Option(value=BOARD + track.id, label=track.name, note=str(track.value))
            for beach in state.beaches for row in ROWS
            if (track := state.tracks[f"{beach} {row}"]).value
        )  # fmt: skip
        numbers = Option(value=BY_NUMBERS, label="by numbers: nests, obstacles, ships", key="0")
        return Choose(name="unit", text="Who fires?", options=(*able, *boards, numbers))

    def _targets(self, side: str, *, empty: bool) -> Slot:
        others = [unit for unit in self.state.units() if unit.side != side]
        foes = [unit for unit in others if not leads(unit)]
        options = counter_options(foes, codes=self.state.counters.codes)
        options += (Option(value=NO_UNIT, label="a unit not entered", key="0"),)
        options += (Option(value=EMPTY_HEX, label="an empty hex", key="1"),) * empty
        return Choose(name="target", text="At which unit?", options=options)

    def _color(self, name: str, text: str) -> Slot:
        colors = self.state.rules.colors.items()
        options = (Option(value=id, label=id, key=one.key, note=one.text) for id, one in colors)
        return Choose(name=name, text=text, options=tuple(options))

    def _printed(self, unit: Counter, name: str) -> Slot:
        what = {"color": "fire", "assault_color": "assault"}.get(name)
        if what:
            text = f"What color is the {what} rating of {unit.name}?"
            return self._color(f"rate {name} {unit.id}", text)
        if name == "armored":
            return _armored_slot(f"rate armored {unit.id}", unit.name)
        return rating_slot(unit, name, f"rate {name} {unit.id}")

    def _complete(self, shot: Shoot) -> bool:
        """Whether everything that the shot needs is read off the counters."""
        read, needs = shot.printed, shot.needs(self.state)
        return all(name in read.get(id, {}) for id, names in needs for name in names)

    def _rolls(self, shot: Shoot, answers: Answers) -> Iterator[Slot]:
        state = self.state
        if shot.missing(state) or not state.dice.typed:
            yield Confirm(name="number", key_note="Space rolls.", optional=True)
            return
        if (check := shot.check(state)) is not None:
            what = shot.stops(state) or "the company bonus"
            text = f"What did you roll for {what} ({needed(check.needs)})?"
            yield Number(name="check", text=text, high=9)
            roll = answers.get("check")
            failed = roll is None or not passes(check.needs, roll, literal=state.rules.literal)
            if shot.stops(state) and failed:
                return
        yield Number(name="number", text="What did you roll for the shot?", high=9)

    # -------------------------------------------------------------- what can be changed

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        shot, target = self.shot(answers), answers.get("target")
        black = target != NO_UNIT or "armored" in answers  # until then n, b, o are answers
        if target is None or not black or not self._complete(shot):
            return ()
        return tuple(self._circumstances(shot, answers))

    def _circumstances(self, shot: Shoot, answers: Answers) -> Iterator[Toggle]:
        state, mode, firer = self.state, self.mode, bool(shot.firer)
        rolls = shot.two_steps(state) and (shot.company(state) or shot.spend)
        battery = firer and (shot.ship(state) or state.counters[shot.firer].kind == "black")
        rows = (
            (firer, "out", "o", "firer out of command"),
            (rolls, "spend", "s", "1 CP for the company bonus"),
            (self.close, "assault_rating", "a", "with the assault rating"),
            (mode in ("direct", "op"), "near", "n", "beside an enemy: range 1"),
            (mode == "indirect" and battery, "sees", "e", "firer sees the target"),
            (firer, "bocage", "b", "firer in bocage"),
            (mode != "indirect", "hill", "h", "target on a hill"),
            (mode != "indirect", "ridge", "r", "behind a ridge"),
            (mode == "op", "running", "u", "running from an assault"),
            (mode == "indirect", "counter_battery", "c", "counter-battery"),
            (not firer, "plain", "p", "no modifiers"),
        )
        yield from switches((row[1:] for row in rows if row[0]), answers)
        if mode == "op":
            yield cycling("zone", "z", shot.facts.zone, ZONES)
        if self.close:
            labels_ = {None: "bonus rolled", True: "company bonus", False: "no company bonus"}
            yield cycling("bonus", "y", shot.known(state), labels_)
        ground = shot.facts.target.terrain
        grounds = {"": "terrain", **{name: name for name in state.tables.terrains}}
        yield cycling("terrain", "t", ground, grounds)
        target, mass = state.counters.counters.get(shot.target), shot.facts.mass
        steps = mass if mass is not None else state.mass(target) if target else 1
        yield Toggle(name="mass", key="m", label=f"{steps} steps in the hex",
                     sets={"mass": (steps + 1) % 11}, mark=mass is not None)  # fmt: skip

    def preview(self, answers: Answers) -> Page:
        if answers.get("target") is None:
            return Page("")
        state, shot = self.state, self.shot(answers)
        lead = f"{shot.text(state)}:"
        ranged = self.close or answers.get("range") is not None
        if not ranged or not self._complete(shot) or shot.missing(state):
            return Page("", (Paragraph("", lead=lead),))
        try:
            found, chances = shot.weighed(state)
        except Refused as refused:
            text = f"{refused}{' ! does it anyway.' * (not refused.refusal.firm)}"
            return Page("", (Paragraph(text, lead=lead, tone="bad"),))
        first, check = "", shot.check(state)
        if check is not None:
            what = shot.stops(state) or "the company bonus"
            first = f"A roll for {what}: {text_of(check)}. Then: "
        text = f"{first}{text_of(found.sum)}; {found.color} row, {found.table} side"
        text += f" ({COMMUNITY})." if state.community else "."
        known = {"look it up" if name == "?" else name: one for name, one in chances.items()}
        return Page("", chances_of(lead, text, known))


def _armored_slot(name: str, whose: str) -> Slot:
    rows = ((False, "no"), (True, "yes"))
    return one_of(name, f"Is the defense rating of {whose} on black?", rows, "ny")
