"""Where the groups of a dealt battle set up, and where and when they enter."""

from __future__ import annotations

from skirmish.games.plastic.dealing.choosing import ChosenBattle
from skirmish.games.plastic.dealing.forces import DealtSide
from skirmish.games.plastic.dealing.squares import OPPOSITE
from skirmish.games.plastic.dealing.table import Raw
from skirmish.games.plastic.dealing.themes import Group
from skirmish.games.plastic.scenarios.scenario_part import Edge
from skirmish.tabletop.measure import inches

ZONE_LETTERS = "ABCDEFG"
"""The letters of zones; no theme has more zones."""
FROM_THE_ROAD = 6
"""The least distance of hidden units from the road, in inches."""


class StartingPlaces:
    """Where each group of one battle begins."""

    def __init__(self, battle: ChosenBattle) -> None:
        self._theme = battle.theme
        self._frame = battle.table.frame
        self._last_turn = battle.last_turn
        zones = groups_in_zones(battle.forces.defending) + groups_in_zones(battle.forces.attacking)
        # In the order in which a reader of the scenario meets them.
        self._letters = {
            group.id: letter for group, letter in zip(zones, ZONE_LETTERS, strict=False)
        }

    def letter_of(self, group: Group) -> str:
        """The letter of the zone in which a group sets up."""
        return self._letters[group.id]

    def edge_of(self, group: Group) -> Edge:
        """The edge over which a group enters: that of the attack, or the opposite one for defenders
        and for attackers who come from behind them."""
        is_at_far_edge = group.entry == "far_edge" or group in self._theme.defenders
        if is_at_far_edge:
            return OPPOSITE[self._frame.edge]
        return self._frame.edge

    def entry(self, group: Group) -> Raw:
        """How a group enters, and when."""
        turn = group.turn_in(self._last_turn)
        match group.entry:
            case "zone":
                return {"kind": "zone", "zone": self.letter_of(group), "turn": 0}
            case "road":
                return {"kind": "road", "edge": self.edge_of(group), "turn": turn}
            case "corners":
                return {"kind": "corner", "corners": list(self._frame.corners), "turn": turn}
        # "edge", "far_edge" and "sea"
        return {"kind": "edge", "edge": self.edge_of(group), "turn": turn}

    def deployment(self, group: Group) -> str:
        """The sentence that tells players where a group begins."""
        turn = group.turn_in(self._last_turn)
        edge = self.edge_of(group)
        match group.entry:
            case "zone" if group.hidden:
                letter = self.letter_of(group)
                off = inches(FROM_THE_ROAD)
                return f"In secret, anywhere in zone {letter}, {off} or more from the road."
            case "zone":
                return f"Anywhere in zone {self.letter_of(group)}."
            case "road":
                return f"Enters along the road at the {edge} edge on turn {turn}."
            case "corners":
                corners = " or ".join(self._frame.corners)
                return f"Enters at the {corners} corner on turn {turn}."
            case "sea":
                return f"Enters aboard its craft over the {edge} edge on turn {turn}."
        return f"Enters over the {edge} edge on turn {turn}."


def groups_in_zones(side: DealtSide) -> list[Group]:
    """The groups of a side that set up in a zone, in the order of the theme."""
    groups = []
    for group, units, works in zip(
        side.groups, side.units_by_group, side.works_by_group, strict=True
    ):
        # A group that got neither is no contingent, so that nobody sets up there. No known theme
        # deals such a group.
        has_figures = units.total() > 0 or works.total() > 0
        if group.zone is not None and has_figures:
            groups.append(group)
    return groups
