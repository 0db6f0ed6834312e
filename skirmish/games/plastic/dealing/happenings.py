"""Writes the special rules of a dealt battle and its happenings: the night, the charges under a
bridge, groups that hide, and an alarm that brings more men."""

from __future__ import annotations

import math
from collections.abc import Mapping

from skirmish.games.plastic.dealing.choosing import ChosenBattle
from skirmish.games.plastic.dealing.squares import OPPOSITE
from skirmish.games.plastic.dealing.table import Raw
from skirmish.games.plastic.dealing.themes import Group
from skirmish.games.plastic.rules.army import in_order
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.measure import inches

HIDDEN_RULE = "Ambush"
"""The name of the special rule on hidden men."""
TURNS_AFTER_DAWN = 3
"""The turns of a battle at night that follow the turn of dawn: of ten turns the 7th is that of
dawn, and 8, 9 and 10 follow."""
FIRST_WITH_DARKNESS = 2
"""The first version of the dealer that writes the night as darkness, and not in words alone."""
NIGHT_RULE, CHARGES_RULE = "Night", "Charges"
"""The names of the special rules on the night and on charges."""
FIRST_TURN_OF_ALARM = 2
"""The turn of the first draw for men whom an alarm wakes up."""
TIMES_ON_HIGH_DRAW = 2
"""How many times as many men a high draw for an alarm brings as a middling one."""
CHARGES_MARK = "C"
"""The mark of a mined bridge on the map."""
START_OF_CHARGES = 0.3
"""The part of a battle before the first draw for charges."""
RANK_OF_CHARGES = 3
"""The highest rank at which charges go off: one draw in four, so that two bridges of five still
stand after three draws."""
CAN_CUT = frozenset({"rifle", "engineer"})
"""Units that cut charges."""
VOWELS = ("A", "E", "I", "O", "U")
"""The first letters of names that take the article "an"."""


class HappeningWriter:
    """Writes the special rules and the happenings of one battle."""

    def __init__(self, battle: ChosenBattle, catalog: Catalog) -> None:
        self._catalog = catalog
        self._version = battle.wishes.version
        self._theme = battle.theme
        self._table = battle.table
        self._frame = battle.table.frame
        self._last_turn = battle.last_turn
        self._forces = battle.forces
        self._attacking = battle.forces.attacking
        self._defending = battle.forces.defending
        self._defender = self._defending.nation.id
        # Without a man who could cut them there are no charges.
        self.is_mined = battle.is_mined and bool(self._cutters)

    def special_rules(self) -> list[Raw]:
        """The rules of the theme, and what else players must know."""
        rules = [{"name": rule.name, "text": rule.text} for rule in self._theme.rules]
        if self._theme.night > 0:
            rules.append({"name": NIGHT_RULE, "text": self._night_text})
        if self.is_mined:
            rules.append({"name": CHARGES_RULE, "text": self._charges_text})
        if any(crossing.is_ford for crossing in self._table.crossings):
            rules.append({"name": "Ford", "text": "A ford is crossed like open ground."})
        for group, units in zip(self._theme.defenders, self._defending.units_by_group, strict=True):
            if _has_hidden_men(group, units):
                rules.append({"name": HIDDEN_RULE, "text": self._hidden_rule(group)})
        return rules

    def happenings(self) -> list[Raw]:
        """The night, charges, groups that hide, and an alarm that brings more men."""
        happenings: list[Raw] = []
        if self._theme.night > 0 and self._version >= FIRST_WITH_DARKNESS:
            happenings.append(self._darkness())
        if self.is_mined:
            happenings.append(self._charges())
        for group, units in zip(self._theme.defenders, self._defending.units_by_group, strict=True):
            if _has_hidden_men(group, units):
                happenings.append(self._revealing(group, units))
            if group.alarm > 0 and self._most_on_middling_draw >= 1:
                happenings.append(self._alarm(group))
        return happenings

    def _darkness(self) -> Raw:
        """The night, until dawn."""
        return {
            "kind": "darkness",
            "rule": NIGHT_RULE,
            "sight_in": self._theme.night,
            "before_turn": self._dawn,
            "text": self._night_text,
        }

    def _charges(self) -> Raw:
        """The charges under the bridge."""
        return {
            "kind": "charges",
            "rule": CHARGES_RULE,
            "id": "bridge",
            "side": self._defender,
            "what": f"the bridge {CHARGES_MARK}",
            "mark": CHARGES_MARK,
            "from_turn": self._first_turn_of_charges,
            "needs": RANK_OF_CHARGES,
            "cut_by": self._cutters,
            "text": self._charges_text,
        }

    def _revealing(self, group: Group, units: Mapping[str, int]) -> Raw:
        """A hidden group, and what reveals it."""
        return {
            "kind": "reveal",
            "rule": HIDDEN_RULE,
            "side": self._defender,
            "contingent": group.id,
            "units": list(in_order(units, self._catalog)),
            "when": "distance",
            "within_in": group.hidden,
            "text": f"Hidden {self._defending.people} are revealed when an enemy comes within "
            f"{inches(group.hidden)}, or when they fire.",
        }

    def _alarm(self, group: Group) -> Raw:
        """Reinforcements by draw, as far as the figures go: each turn, on average, Rifle Guys for
        about that part (``Group.alarm``) of the attacker's points."""
        # A Rifle Guy counts as one point.
        guys_a_turn = max(round(group.alarm * self._forces.attack_points), 1)
        few = min(guys_a_turn, self._most_on_middling_draw)
        edge = OPPOSITE[self._frame.edge]
        # Of twelve cards five bring nobody, four bring ``few`` and three twice as many: on average
        # that is 5/6 of ``few``, which is near enough.
        rows: list[Raw] = [
            {"ranks": [1, 5], "nothing": True},
            {"ranks": [6, 9], "units": {"rifle": few}},
            {"ranks": [10, 12], "units": {"rifle": few * TIMES_ON_HIGH_DRAW}},
        ]
        return {
            "kind": "draw_table",
            "side": self._defender,
            "from_turn": FIRST_TURN_OF_ALARM,
            "draws": 1,
            "text": f"The {self._defending.people} draw a card at the start of each turn, from "
            f"turn {FIRST_TURN_OF_ALARM} on: who wakes up enters over the {edge} edge.",
            "table": rows,
        }

    @property
    def _most_on_middling_draw(self) -> int:
        """The most Rifle Guys that a middling draw for an alarm may bring: so few that the reserve
        suffices even if the draw is high on every turn."""
        return self._forces.reserve // (TIMES_ON_HIGH_DRAW * self._last_turn)

    def _hidden_rule(self, group: Group) -> str:
        """How a group hides and when it is revealed, for the players."""
        people = self._defending.people
        return (
            f"The {people} write down where each of them lies. They are put on the table when an "
            f"enemy comes within {inches(group.hidden)} of them, or when they fire."
        )

    @property
    def _dawn(self) -> int:
        """The first turn without darkness; turn 1 is always dark."""
        return max(self._last_turn - TURNS_AFTER_DAWN, 2)

    @property
    def _night_text(self) -> str:
        """How far one sees at night, and how long, for the players."""
        return f"Nobody sees farther than {inches(self._theme.night)} before turn {self._dawn}."

    @property
    def _charges_text(self) -> str:
        """Who blows up the bridge, and how it is prevented, for the players."""
        first = self._first_turn_of_charges
        attackers, defenders = self._attacking.people, self._defending.people
        cutters = " or ".join(self._catalog.units[unit].name for unit in self._cutters)
        article = "a"
        if cutters.startswith(VOWELS):
            article = "an"
        return (
            f"The {defenders} have mined the bridge {CHARGES_MARK}. From turn {first} on they draw "
            f"at the start of each of their turns: A-{RANK_OF_CHARGES} blows it up, and nobody "
            f"crosses there any more. The {attackers} cut the charges for good if {article} "
            f"{cutters} starts a turn of theirs touching it."
        )

    @property
    def _first_turn_of_charges(self) -> int:
        """The turn of the first draw. On turn 1 the attackers are not on their way yet."""
        return max(math.ceil(self._last_turn * START_OF_CHARGES), 2)

    @property
    def _cutters(self) -> list[str]:
        """The attackers' units that can cut charges."""
        force = in_order(self._attacking.whole_force(), self._catalog)
        return [unit for unit in force if unit in CAN_CUT]


def _has_hidden_men(group: Group, units: Mapping[str, int]) -> bool:
    """Whether a group begins the battle hidden, and got any units that could hide."""
    return group.hidden > 0 and len(units) > 0
