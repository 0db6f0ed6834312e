"""Writes what a dealt battle is fought for: its terms of victory, as data and as a sentence."""

from __future__ import annotations

import math

from skirmish.games.plastic.dealing.choosing import ChosenBattle
from skirmish.games.plastic.dealing.squares import OPPOSITE
from skirmish.games.plastic.dealing.table import Raw
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.measure import inches


class VictoryWriter:
    """Writes the terms of victory of one battle, of the kind that its theme has."""

    def __init__(self, battle: ChosenBattle, catalog: Catalog) -> None:
        self._catalog = catalog
        self._goal = battle.theme.victory
        self._table = battle.table
        self._frame = battle.table.frame
        self._last_turn = battle.last_turn
        self._attacking = battle.forces.attacking
        self._defending = battle.forces.defending
        self._attacker = self._attacking.nation.id
        self._defender = self._defending.nation.id
        self._otherwise = f"Otherwise the {self._defending.people} win."
        """The end of every sentence on victory."""

    def terms(self) -> Raw:
        """The terms of victory, of the kind that the theme has."""
        match self._goal.kind:
            case "count":
                return self._win_by_count()
            case "hold":
                return self._win_by_holding()
            case "clear":
                return self._win_by_clearing()
            case "destroy_then_exit":
                return self._win_by_raid()
        # "exit"
        if self._goal.trucks:
            return self._win_by_convoy()
        return self._win_by_exit()

    def _win_by_count(self) -> Raw:
        """The side wins that has more guys in some place at the end."""
        where = self._counted_where()
        text = (
            f"The {self._attacking.people} win if, {self._at_the_end_in_words}, they have more "
            f"guys {where} than the {self._defending.people}. {self._otherwise}"
        )
        return {
            "kind": "count",
            "question": f"Guys {where}",
            "sides": [self._attacker, self._defender],
            "units": "guys",
            "wins": "more",
            "at": self._at_the_end,
            "equal": self._defender,
            "text": text,
        }

    def _counted_where(self) -> str:
        """Where guys count, in words."""
        within = f"within {inches(self._goal.within_in)}"
        match self._goal.around:
            case "bridge":
                return f"{within} of the far end of the bridge"
            case "buildings":
                return "in buildings"
        # "middle"
        return f"{within} of the middle of the table"

    def _win_by_holding(self) -> Raw:
        """The attackers win if they hold enough buildings at the end."""
        people = self._attacking.people
        houses = len(self._table.houses)
        need = _percent_of(houses, self._goal.need_percent)
        text = (
            f"The {people} win if, {self._at_the_end_in_words}, {need} of the {houses} buildings "
            f"hold only {people} or were last entered by them. {self._otherwise}"
        )
        return {
            "kind": "hold",
            "side": self._attacker,
            "what": "buildings",
            "need": need,
            "how": "solely_or_last",
            "at": self._at_the_end,
            "text": text,
        }

    def _win_by_clearing(self) -> Raw:
        """The attackers win if no defender is left in the middle of the table at the end."""
        within = self._goal.within_in
        text = (
            f"The {self._attacking.people} win if, {self._at_the_end_in_words}, no "
            f"{self._defending.nation.name} figure is within {inches(within)} of the middle of the "
            f"table. {self._otherwise}"
        )
        return {
            "kind": "clear",
            "side": self._attacker,
            "of": self._defender,
            "within_in": within,
            "point": "centre",
            "at": self._at_the_end,
            "text": text,
        }

    def _win_by_convoy(self) -> Raw:
        """The attackers win if enough of their trucks get through."""
        force = self._attacking.whole_force()
        # Nothing counts but trucks.
        weights = {"guy": 0}
        for unit in force:
            if not self._catalog.units[unit].is_guy:
                weights[unit] = 0
        weights["truck"] = 1
        need = _percent_of(force["truck"], self._goal.need_percent)
        # As in the ten scenarios of the book, sentences on victory write models in lower case.
        trucks = self._catalog.units["truck"].named(need).lower()
        edge = OPPOSITE[self._frame.edge]
        return {
            "kind": "exit",
            "side": self._attacker,
            "by": self._in_time,
            "edge": edge,
            "need": need,
            "weights": weights,
            "text": f"The {self._attacking.people} win if they bring {trucks} off the table over "
            f"the {edge} edge {self._in_time_in_words}. {self._otherwise}",
        }

    def _win_by_exit(self) -> Raw:
        """The attackers win if a part of their strength gets through."""
        force = self._attacking.whole_force()
        strength = 0
        for id, count in force.items():
            unit = self._catalog.units[id]
            # A cannon leaves only where something tows it, so nobody has to bring one out.
            if unit.move:
                strength += self._catalog.strength_of(unit) * count
        # Strength is finely divided, so that here the nearest number will do.
        need = max(round(strength * self._goal.need_percent / 100), 1)
        edge = OPPOSITE[self._frame.edge]
        terms: Raw = {
            "kind": "exit",
            "side": self._attacker,
            "by": self._in_time,
            "edge": edge,
            "need": need,
        }
        where = f"over the {edge} edge"
        if self._goal.within_in:
            terms["within_in"] = self._goal.within_in
            terms["of"] = "road"
            where += f", within {inches(self._goal.within_in)} of the road,"
        terms["text"] = (
            f"The {self._attacking.people} win if {need} guys' worth have left {where} "
            f"{self._in_time_in_words}. A model is worth {self._catalog.strength.model} guys. "
            f"{self._otherwise}"
        )
        return terms

    def _win_by_raid(self) -> Raw:
        """The attackers win if they destroy enough parked aircraft, and half of the raiders of the
        commonest kind get away over the attackers' own edge."""
        targets = len(self._table.targets)
        need = _percent_of(targets, self._goal.need_percent)
        unit, count = self._attacking.whole_force().most_common(1)[0]
        leaving = max(math.ceil(count / 2), 1)
        named = self._catalog.units[unit].named(leaving)
        edge = self._frame.edge
        return {
            "kind": "destroy_then_exit",
            "side": self._attacker,
            "unit": "aircraft",
            "need": need,
            "then": {"unit": unit, "need": leaving, "edge": edge},
            "by": self._in_time,
            "text": f"The {self._attacking.people} win if they destroy {need} of the {targets} "
            f"aircraft and then exit {named} over the {edge} edge, all {self._in_time_in_words}. "
            f"{self._otherwise}",
        }

    @property
    def _at_the_end(self) -> Raw:
        """When it is decided who has won: after the last turn of the defenders, who move second."""
        return {"side": self._defender, "turn": self._last_turn}

    @property
    def _at_the_end_in_words(self) -> str:
        """``at the end of German turn 9``."""
        return f"at the end of {self._defending.nation.name} turn {self._last_turn}"

    @property
    def _in_time(self) -> Raw:
        """The last turn of the attackers, by which they have to leave."""
        return {"side": self._attacker, "turn": self._last_turn}

    @property
    def _in_time_in_words(self) -> str:
        """``by the end of American turn 9``."""
        return f"by the end of {self._attacking.nation.name} turn {self._last_turn}"


def _percent_of(whole: int, percent: int) -> int:
    """So many percent of a whole number, rounded up; one at least."""
    return max(math.ceil(whole * percent / 100), 1)
