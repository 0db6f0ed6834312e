"""The commands of checks: troop quality, bravery, contact, rally, engineer actions, under fire.

``CheckQuestions`` is what a command asks for a check. It is asked anew after every answer: it makes
the order of the answers so far, and that order knows what it still needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from skirmish.games.gts import checks
from skirmish.games.gts.checks import UnitCheck
from skirmish.games.gts.commands.answers import (
    ACTIONS_GROUP,
    HIGHEST_DEFENSE,
    LOWEST_DEFENSE,
    Commands,
    count_slot,
    order_of_answers,
    own_roll_slot,
    rating_slot,
    unit_slot,
    why_no_unit,
)
from skirmish.games.gts.fire_results import CheckUnderFire
from skirmish.games.gts.rolls import sum_text
from skirmish.games.gts.ruleset import ATTACHING_KINDS
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.works import Work, why_no_work
from skirmish.tabletop.commands import Answers, Command, OnOff, Toggle, on_off_toggles
from skirmish.tabletop.companion.asking import counter_options
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_slots import value_slots
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Number, Slot, choice_of, choice_of_names


def check_commands(state: GtsState) -> Commands:
    """A command for each kind of check that players make of their own accord."""
    yield _quality_command(state)
    yield _bravery_command(state)
    yield _contact_command(state)
    yield _rally_command(state)
    yield _engineer_command(state)


def _quality_command(state: GtsState) -> Command[Any]:
    # C is the cohesion hit, as the card has it.
    failure = OnOff("hit", "x", "a failure is a C")
    questions = CheckQuestions(state, checks.CheckQuality, own_toggle=failure)
    return _check_command(questions, label="Troop quality check", key="t", is_on_strip=True)


def _bravery_command(state: GtsState) -> Command[Any]:
    theirs = _lowest_defense_slot("theirs", "The lowest defense of the enemies that cover its hex?")
    ours = _lowest_defense_slot("ours", "The lowest defense of its own stack?")
    questions = CheckQuestions(state, checks.Bravery, own_slots=(theirs, ours))
    is_assault = state.chart == "assault"
    return _check_command(questions, label="Bravery check", key="B", is_on_strip=is_assault)


def _lowest_defense_slot(name: str, text: str) -> Number:
    """The question for the lowest defense of several units, modifiers included."""
    return Number(name=name, text=text, low=LOWEST_DEFENSE, high=HIGHEST_DEFENSE)


def _contact_command(state: GtsState) -> Command[Any]:
    formations = [chit.group for chit in state.chits.values() if chit.kind in ATTACHING_KINDS]
    leader = choice_of_names("leader", "With whose leader?", formations)
    number = count_slot("marker", "What is the number on its contact marker?")
    questions = CheckQuestions(state, checks.Contact, own_slots=(leader, number))
    # Contact is made in the step of the parks (E.II).
    is_its_step = state.phase_id == "parks"
    return _check_command(
        questions, label="Contact with a leader", key="k", is_on_strip=is_its_step
    )


def _rally_command(state: GtsState) -> Command[Any]:
    zone = OnOff("zone", "z", "in an enemy fire zone")
    questions = CheckQuestions(state, checks.Rally, action_kind="rally", own_toggle=zone)
    return _check_command(questions, label="Rally", key="r", is_on_strip=_units_act(state))


def _engineer_command(state: GtsState) -> Command[Any]:
    works = {}
    for id, rule in state.rules.actions.items():
        if rule.kind == "engineer":
            works[id] = rule.name
    work = choice_of("action", "Which work?", works)
    questions = CheckQuestions(state, Work, action_kind="engineer", own_slots=(work,))
    return _check_command(
        questions, label="Engineer action", key="e", is_on_strip=_units_act(state)
    )


def _units_act(state: GtsState) -> bool:
    """Whether it is the time for actions: always, where only fire and checks are played."""
    return state.setup.scope == "fire" or state.phase_id == "activations"


def _check_command(
    questions: CheckQuestions, *, label: str, key: str, is_on_strip: bool
) -> Command[Any]:
    """The command of a check, with its place on the strip of keys while it is likely to be
    wanted."""
    word = ""
    if is_on_strip:
        word = label.lower()
    return questions.command(
        label=label,
        key=key,
        word=word,
        group=ACTIONS_GROUP,
        why_not=why_no_unit(questions.state),
    )


def under_fire_prompt(state: GtsState, task: Task) -> Command[Any]:
    """The check that fire or a heavy barrage demands of a unit: after the result S?; after the
    result S, unless it chooses to be suppressed; or before it leaves the barrage."""
    unit = state.counters[task.units[0]]
    labels = {"check": "S?", "suppress": "S", "leave": "Out of the barrage"}
    own_slots: tuple[Slot, ...] = ()
    if task.kind == "suppress":
        check_or_not = {True: "check, for a cohesion hit instead", False: "be suppressed"}
        text = f"S: what does {unit.name} do?"
        own_slots = (choice_of("takes", text, check_or_not, keys="cs"),)
    questions = CheckQuestions(state, CheckUnderFire, unit=unit.id, own_slots=own_slots)
    return questions.command(label=f"{labels[task.kind]}: {unit.name}", word="the check")


# ------------------------------------------------------------------ what a check asks


class CheckQuestions(msgspec.Struct, frozen=True):
    """What is asked for a check of one kind, by the answers so far."""

    state: GtsState
    order_type: type[UnitCheck]
    action_kind: str = ""
    """The kind of action that the check is; empty if it is no action."""
    own_slots: Sequence[Slot] = ()
    """Questions of this kind of check alone, asked before all others."""
    own_toggle: OnOff | None = None
    """What may be true of this kind of check alone; None if nothing is."""
    unit: str = ""
    """The unit that is checked; empty if the player chooses one."""

    def command(
        self, *, label: str, word: str, key: str = "", group: str = "", why_not: str = ""
    ) -> Command[Any]:
        """The command that asks these questions."""
        return Command(
            label=label,
            word=word,
            key=key,
            group=group,
            why_not=why_not,
            slots=self.slots,
            toggles=self.toggles,
            preview=self.preview,
            make=self.make,
        )

    def make(self, **answers: Any) -> UnitCheck:
        """The order, called as a command calls it: with the answers as arguments."""
        return self._order(answers)

    def _order(self, answers: Answers) -> UnitCheck:
        """The order of the answers so far."""
        unit = self.unit or answers.get("unit")
        # The rating that is checked is asked for as "tq" (troop quality), as on the counters.
        fields = {**answers, "unit": unit, "rating": answers.get("tq")}
        return order_of_answers(self.order_type, **fields)

    def _makes_order(self, answers: Answers) -> bool:
        """Whether the answers suffice for an order that can say what else it needs."""
        if not self.unit and not answers.get("unit"):
            return False
        # The player lets an S suppress the unit: there is no check, and nothing else is asked.
        if answers.get("takes") is False:
            return False
        return all(answers.get(slot.name) is not None for slot in self.own_slots)

    # -------------------------------------------------------------- slots

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        """The questions, as far as they are known after these answers."""
        return tuple(self._questions(answers))

    def _questions(self, answers: Answers) -> Iterator[Slot]:
        """The questions in their order: each depends on the answers before it."""
        yield from self.own_slots
        if not self.unit:
            yield self._unit_slot(answers)
        if not self._makes_order(answers):
            return
        order = self._order(answers)
        if isinstance(order, Work):
            yield from _work_slots(self.state, order)
        if order.needs_no_roll(self.state):
            # The confirmation takes the place of the roll, whose slot has this name.
            yield Confirm(name="number", key_note="Space does it.", optional=True)
            return
        unit = order.unit_as_read(self.state)
        # Once it is answered, the rating is no longer missing. The question must stay all the same,
        # or its answer would be dropped.
        if "tq" in answers or unit.missing(order.checked_ratings):
            yield rating_slot(unit, "tq", answer="tq")
        yield from value_slots(self.state, order.sum(self.state).missing, answers)
        yield own_roll_slot(self.state)

    def _unit_slot(self, answers: Answers) -> Choose:
        """Who is checked; for contact, the artillery on the side of the leader."""
        leader = answers.get("leader")
        if leader is None:
            return unit_slot(self.state, self.action_kind)
        why_not = partial(_why_no_contact, self.state, leader)
        options = counter_options(self.state.units(), why_not, self.state.counters.codes)
        return Choose(name="unit", text="Which unit?", options=options)

    # -------------------------------------------------------------- toggles and preview

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        """What else may be true of the check, as far as it matters."""
        # While the player chooses the unit, letters are codes of units, and must be no toggles.
        if not self._makes_order(answers):
            return ()
        order = self._order(answers)
        # A check of contact is none of troop quality: neither command nor points count in it.
        if isinstance(order, checks.Contact):
            return ()
        rows = [OnOff("out", "o", "out of command")]
        may_be_bought = order.is_listed_for_points or self.state.rules.points_pass_any_check
        # A unit out of command spends no command point.
        if may_be_bought and not answers.get("out"):
            rows.append(OnOff("spend", "s", "spend 1 CP"))
        if self.own_toggle is not None:
            rows.append(self.own_toggle)
        return on_off_toggles(rows, answers)

    def preview(self, answers: Answers) -> Page:
        """The check in words, with its chance; nothing while a number of it is not typed in."""
        if not self._makes_order(answers):
            return Page("")
        order = self._order(answers)
        try:
            unit = order.unit_as_read(self.state)
            text = self._prospect(order)
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))
        if not text:
            return Page("")
        return Page("", (Paragraph(text, lead=f"{unit.name}, {order.purpose}:"),))

    def _prospect(self, order: UnitCheck) -> str:
        """What the check needs, with its chance, or why it needs no roll; empty while a number of
        it is not typed in. Raises Refused."""
        total = order.sum(self.state)
        if order.spend:
            return order.why_not_spend(self.state) or "1 CP passes it."
        if order.needs_no_roll(self.state):
            return "It succeeds."
        if order.unit_as_read(self.state).missing(order.checked_ratings) or total.missing:
            return ""
        chance = float(order.chance(self.state, total))
        needed = sum_text(total, literal=self.state.rules.less_than_is_literal)
        return f"{needed}, {chance:.0%}."


def _why_no_contact(state: GtsState, leader: str, unit: Counter) -> str:
    """``checks.why_no_contact`` with the unit last, so that the list of units can call it."""
    return checks.why_no_contact(state, unit, leader)


def _work_slots(state: GtsState, order: Work) -> Iterator[Slot]:
    """For whom an engineer builds, and how many markers of its kind the owner has left, if nobody
    has said so yet."""
    unit = order.unit_as_read(state)
    # Only an engineer builds an improved position for another unit of its hex.
    builds_for_others = order.action == "improve" and "engineer" in unit.traits
    able = [stacked for stacked in state.stack(unit) if not why_no_work(stacked)]
    if builds_for_others and len(able) > 1:
        options = counter_options(able, letters=state.counters.codes)
        yield Choose(name="on", text="For which unit?", options=options)
    stock = order.stock(state)
    if stock is not None and stock.track not in state.tracks:
        yield count_slot("left", f"How many {stock.kind} has {stock.owner} left before it?")
