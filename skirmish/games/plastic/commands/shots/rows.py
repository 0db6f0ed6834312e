"""The rows of both sides as options: who fires, and at whom."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.orders import Again, Fire
from skirmish.games.plastic.battle.orders.fire_advice import fires_in_own_turn, why_hidden
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.shots.order import objection, order_of
from skirmish.games.plastic.forecast import chance_in_words
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.row_words import row_status
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.commands import Answers
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import Option, Slot, UnfitAnswer


class ShotRows(BattleNow):
    """The rows of a battle as shooters and as targets, each with what speaks against it."""

    def __init__(self, state: State, knowledge: Knowledge) -> None:
        super().__init__(state)
        self.knowledge = knowledge

    def who_fires(self, side: str, facts: Answers) -> Slot:
        """The question which row fires. Some units of the other side may fire as well, since it is
        their own turn (P67)."""
        large = "WHO FIRES?"
        if facts.get("count") is not None:
            large = f"{facts['count']} OF WHICH UNIT FIRE?"
        enemy = self.enemy(side)
        firing_in_own_turn = {option.value: option for option in self._who_fires_in_own_turn(enemy)}
        enemy_rows = []
        for option in self.options_by_mouse(enemy):
            # Who may fire can be chosen by a letter, too; the others only with the mouse.
            enemy_rows.append(firing_in_own_turn.get(option.value, option))
        text = f"Choose {a_unit(self.state.setup.owned_by(side, 'unit'))}."
        options = (*self.shooters(side), *enemy_rows)
        return self.choose("shooter", text, side, options, tab_switches=False, large=large)

    def at_whom(self, enemy: str, facts: Answers) -> Slot:
        """The question which row is shot at."""
        return self.choose(
            "target",
            f"Choose {a_unit(self.state.setup.owned_by(enemy, 'unit'))}.",
            enemy,
            self._targets(enemy, facts),
            large="AT WHOM?",
            tab_switches=False,
            refusal_of_digit=UnfitAnswer("Choose the target first, then how many are in reach."),
        )

    def shooters(self, side: str) -> Iterator[Option]:
        """The rows of a side as those who fire."""
        for row in rows(self.state, side):
            # In phases 3 and 4 only units that touch the enemy fire [62, 63]. The program does not
            # know who does.
            note = "cannot fire now"
            if row.ready_count and self.state.clock.phase in CLOSE_PHASES:
                note = f"those in contact, of {row.ready_count}"
            elif row.ready_count:
                note = f"{row.ready_count} can fire"
            why_not = self._why_no_shooter(row)
            yield self.option(row, note, why_not, objection=partial(self._why_idle, row))

    def _why_no_shooter(self, row: Row) -> str:
        """Why a row cannot fire in any phase, as things are; empty if it can in some phase."""
        # Who died in phase 3 still fights in phase 4 (P51).
        if not row.alive and not row.ready_count:
            return f"No {row.unit.name} is left."
        if self.state.levels[row.side] == "ledger":
            record = self.state.setup.does(row.side, "record", "records", article="The")
            keys = "- takes men off, + puts them back, I changes this."
            return f"{record} losses only. {keys}"
        if not row.weapons:
            return f"{a_unit(row.unit.name, 'A')} has no weapon."
        return ""

    def _why_idle(self, row: Row) -> Refusal | None:
        """Why nobody of a row can fire now; None if somebody can."""
        if row.ready_count:
            return None
        # No whole sentence: it is shown behind the label of the row.
        return Refusal("already_fired", f"cannot fire now: {row_status(self.state, row)}")

    def _who_fires_in_own_turn(self, mover: str) -> Iterator[Option]:
        """Units of the mover that also fire (P67), by letters that the other side does not use."""
        taken = {row.letter for row in rows(self.state, self.enemy(mover))}
        for row in rows(self.state, mover):
            if not fires_in_own_turn(self.state, row):
                continue
            if row.ready_count and row.letter not in taken:
                yield self.option(row, f"{row.ready_count} can fire, in their own turn")

    def _targets(self, side: str, facts: Answers) -> Iterator[Option]:
        """The rows of a side as targets, each with the chance of this shot at it."""
        for row in rows(self.state, side):
            why_not = why_hidden(self.state, row)
            if not row.alive:
                why_not = f"No {row.unit.name} is left."
            order = order_of({**facts, "target": row.key})
            assert order is not None, "it has a shooter and a target"
            yield self.option(
                row,
                f"{len(row.in_sight)} there",
                why_not,
                late_note=partial(self.chance_note, order),
                objection=partial(objection, self.state, order),
            )

    def chance_note(self, order: Fire | Again) -> str:
        """The chance that one shot hits, as the note of its target."""
        try:
            shot = prepared(self.state, order)
        # A row that is gone or hidden cannot be chosen anyway; any other is one that the weapons of
        # the shooter may not be fired at.
        except Refused:
            return "this cannot hurt it"
        if shot.advice:
            return "the rules say no"
        pack = pack_of(self.state, shot.side, self.knowledge).pack
        return chance_in_words(one_shot(shot.aim, pack).hit)
