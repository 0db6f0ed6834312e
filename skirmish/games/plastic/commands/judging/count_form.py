"""The form in which a counted volley is counted again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.events import HitsCounted, Judged
from skirmish.games.plastic.battle.orders import CountHits
from skirmish.games.plastic.battle.orders.counted_volley import shots_meant
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.orders.rejudged_shot import volley_of
from skirmish.games.plastic.battle.rows import Row, row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.counted_volley import (
    OF_A_COUNT,
    Tally,
    fewer_hits_slot,
    tally_slot,
)
from skirmish.games.plastic.commands.declaring import AnyCommand
from skirmish.games.plastic.commands.judging.form import (
    AS_JUDGED,
    SHOOTER,
    TARGET,
    JudgingForm,
    hits_among,
    suits_given,
    unit_that_fired,
)
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Paragraph
from skirmish.tabletop.slots import Slot


class CountForm(JudgingForm):
    """A counted volley, of which the numbers are asked again.

    Meanwhile the keys ``c`` and ``h`` say that all were in cover or hull down, or were not; that
    also holds for cards of the same volley that were typed one by one. ``t`` and ``f`` open the
    command anew with the answer ``what``, which first asks for another target or shooter.
    """

    def __init__(
        self, state: State, counted: HitsCounted, asking_for_row: Callable[[str], AnyCommand]
    ) -> None:
        """``asking_for_row`` makes the command for this volley that begins with the question for
        the ``TARGET`` or the ``SHOOTER``."""
        super().__init__(state, counted.shot)
        self.counted = counted
        self.asking_for_row = asking_for_row
        self.typed_beside: list[Judged] = []
        """The cards of the same volley that were typed one by one."""
        if counted.shot.volley:
            self.typed_beside = volley_of(state, counted.shot)

    def heading(self) -> Paragraph:
        shooters = counted_shooters(self.state, self.counted)
        turn = self.turn_words(self.counted.shot.id)
        return Paragraph(self.counted.narrate(self.state), lead=f"Judge again: {turn}{shooters}.")

    def words_for_others(self) -> str:
        return "A volley is counted again."

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        slots: list[Slot] = []
        wrong = facts.get("what")
        if wrong:
            slots.append(self.which_row(wrong))
            if not facts.get(wrong):
                return tuple(slots)
        slots.append(self._tally_slot(facts))
        if not facts.get("tally"):
            return tuple(slots)
        fewer = self._fewer_slot(facts)
        if fewer is not None:
            slots.append(fewer)
            if facts.get("fewer") is None:
                return tuple(slots)
        slots += self.suit_slots(self.order(facts), facts, of_several=True)
        return tuple(slots)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        wrong = facts.get("what")
        # While a row is asked for, its letters are wanted.
        if wrong and not facts.get(wrong):
            return ()
        toggles = list(self._circumstance_toggles(facts))
        if not wrong:
            toggles.append(self._row_toggle(TARGET, "t", "at another target"))
            toggles.append(self._row_toggle(SHOOTER, "f", "others fired"))
        return tuple(toggles)

    # ------------------------------------------------------------------ the order

    def order(self, facts: Answers) -> CountHits:
        numbers = facts.get("tally")
        if not numbers:
            # Until the numbers are typed, the present ones hold. Where there are none, the order
            # still needs ``low``, the number of hits.
            numbers = {"low": 0, **self.present_numbers(facts)}
        # The answer after a number of hits (``low``) that was too high.
        if facts.get("fewer") is not None:
            numbers = {**numbers, "low": facts["fewer"]}
        circumstances = self.circumstances(facts)
        return CountHits(
            **numbers,
            cover=circumstances["cover"],
            hull_down=circumstances["hull_down"],
            anew=self.counted.shot.id,
            suits=suits_given(facts),
            target=facts.get(TARGET),
            shooter=facts.get(SHOOTER),
        )

    def order_with_row(self, wrong: str, row: Row) -> CountHits:
        # This order only serves to ask the rules whether the row is possible. How many it hit is
        # asked of the players afterwards.
        circumstances = self.counted.shot.at
        nobody_hit = CountHits(
            low=0,
            anew=self.counted.shot.id,
            cover=circumstances.cover,
            hull_down=circumstances.hull_down,
        )
        return replace(nobody_hit, **{wrong: row.key})

    def why_not_row(self, wrong: str, row: Row) -> str:
        shot = self.counted.shot
        # ``order_with_row`` has nobody hit, so that it differs from the count even with the row
        # that was judged.
        if row.key in (shot.target, row_of(self.state, shot.piece)):
            return AS_JUDGED
        return super().why_not_row(wrong, row)

    def circumstances(self, facts: Answers) -> dict[str, bool]:
        """The circumstances of the whole volley: as they are answered, else as it was counted."""
        as_counted = self.counted.shot.at
        return {name: facts.get(name, getattr(as_counted, name)) for name in OF_A_COUNT}

    def first_shot(self, facts: Answers) -> Shooting:
        """The first shot of the count, with the target, the shooter and the circumstances that are
        answered. It stands for all of them: they need the same."""
        target, shooter = facts.get(TARGET), facts.get(SHOOTER)
        first = shots_meant(self.state, self.counted, target, shooter)[0]
        return replace(first, at=replace(first.at, **self.circumstances(facts)))

    def present_numbers(self, facts: Answers) -> dict[str, int]:
        """The numbers as they were counted, by their fields in ``CountHits``, in which ``low`` is
        the number of hits; none if by the answers other cards hit than those that were counted."""
        counted = self.counted
        if aim_of(self.state, self.first_shot(facts)).needs != counted.needs:
            return {}
        return {"low": counted.low, "aces": counted.aces, "saved": counted.saved}

    # ------------------------------------------------------------------ the numbers

    def _tally_slot(self, facts: Answers) -> Tally:
        """The question for the numbers."""
        beside = ""
        if self.typed_beside:
            typed, hits = len(self.typed_beside), hits_among(self.typed_beside)
            beside = f", beside {typed} typed card by card ({hits} hit)"
        return tally_slot(
            self.state,
            self.first_shot(facts),
            len(self.counted.pieces),
            self.present_numbers(facts),
            anew=True,
            beside=beside,
        )

    def _fewer_slot(self, facts: Answers) -> Slot | None:
        """The question after a count that is higher than it can be; None if it is not."""
        shot, counted = self.first_shot(facts), self.counted
        # The number in reach is that of the time of the count, since men have died of it. Only
        # another target may have a number of its own: of models it is one.
        in_reach = counted.reach
        if shot.reach != counted.shot.reach:
            in_reach = shot.reach
        # What broke down is not counted again, but cannot have hit.
        tally = {**facts["tally"], "broken": counted.broken}
        return fewer_hits_slot(aim_of(self.state, shot), len(counted.pieces), in_reach, tally)

    # ------------------------------------------------------------------ the keys

    def _circumstance_toggles(self, facts: Answers) -> Iterator[Toggle]:
        """The toggles of circumstances that could save a man of this volley."""
        for name in OF_A_COUNT:
            if name == "hull_down" and not self.state.options.hull_down:
                continue
            shot_with_it = self.first_shot({**facts, name: True})
            if name not in aim_of(self.state, shot_with_it).saves:
                continue
            circumstance = CIRCUMSTANCES[name]
            holds = self.circumstances(facts)[name]
            # The label says what the key would make of the volley.
            label = f"all {circumstance.alternative}"
            if holds:
                label = f"all {circumstance.default}"
            yield Toggle(name=name, key=circumstance.key, label=label, sets={name: not holds})

    def _row_toggle(self, wrong: str, key: str, label: str) -> Toggle:
        """Leads to the question which row it was, and then to the numbers."""
        return Toggle(name=wrong, key=key, label=label, opens=partial(self.asking_for_row, wrong))


def counted_shooters(state: State, counted: HitsCounted) -> str:
    """``3 Rifle Guys``: who fired in a counted volley."""
    unit = state.setup.unit(unit_that_fired(state, counted.shot))
    return unit.named(len(counted.pieces))
