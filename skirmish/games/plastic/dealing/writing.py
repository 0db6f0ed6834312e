"""Writes a battle that was chosen as the data of a scenario, as they stand in a file
(docs/scenario-format.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from skirmish.games.plastic.dealing.choosing import ChosenBattle, DealtSide
from skirmish.games.plastic.dealing.names import (
    number_of_dimension,
    place_for_letter,
    place_labels,
    standing_on,
)
from skirmish.games.plastic.dealing.squares import OPPOSITE
from skirmish.games.plastic.dealing.themes import Group
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.order_of_battle import Edge
from skirmish.tabletop.measure import inches
from skirmish.tabletop.plane import Point, Rectangle

Raw: TypeAlias = dict[str, Any]
"""A part of a scenario, as its file has it."""
RULINGS = ["P58", "P59", "P60", "P76"]
"""The rulings that players of any dealt battle should know."""
ZONE_LETTERS = "ABCDEFG"
HIDDEN_RULE = "Ambush"
"""The name of the special rule on hidden men."""
FROM_THE_ROAD = 6
"""Inches from the road that hidden units keep at least."""
DIMENSION_PLACES = (0.88, 0.94, 0.82, 0.76, 0.12, 0.06, 0.18, 0.24, 0.7, 0.3, 0.64, 0.36)
"""Where across the table a distance may be drawn, as parts of its breadth, the best first."""
DIMENSION_STEP = 2
"""Inches between the places that are tried if all of these are taken."""
LINE_ROOM = 0.4
"""Inches that the outline of a zone stays off the edge of the table, so that it is seen."""
ARROW_START, ARROW_END = 0.8, 6.5
"""Inches from the edge over which a force enters."""
ARROW_PLACES = (0.27, 0.5, 0.73)
"""Where the arrows of a force that enters over all of an edge stand, as parts of its length."""
CORNER_ARROW = 4.0
"""Inches from a corner to the arrow of a force that enters there."""
TURNS_AFTER_DAWN = 3
"""The turns of a battle at night that follow the turn of dawn: of ten turns the 7th is that of
dawn, and 8, 9 and 10 follow."""
FIRST_WITH_DARKNESS = 2
"""The first version of the dealer that writes the night as darkness, and not in words alone."""
NIGHT_RULE, CHARGES_RULE = "Night", "Charges"
"""The names of the special rules on the night and on charges."""
CHARGES_MARK = "C"
"""The mark of a mined bridge on the map."""
START_OF_CHARGES = 0.3
"""The part of a battle before the first draw for charges."""
RANK_OF_CHARGES = 3
"""The highest rank at which charges go off: one draw in four, so that two bridges of five still
stand after three draws."""
CAN_CUT = frozenset({"rifle", "engineer"})
"""Units that cut charges."""
ORDER_OF_MAP = (
    "ground",
    "note",
    "area",
    "slope",
    "line",
    "building",
    "zone",
    "mark",
    "dimension",
    "arrow",
    "circle",
    "label",
)
"""The parts of a map in the order of a file."""


class ScenarioWriter:
    """Writes one battle."""

    def __init__(self, battle: ChosenBattle, catalog: Catalog) -> None:
        self._catalog = catalog
        self._wishes = battle.wishes
        self._theme = battle.theme
        self._region = battle.region
        self._table = battle.table
        self._frame = battle.table.frame
        self._names = battle.names
        self._title = battle.title
        self._situation = battle.situation
        self._last_turn = battle.last_turn
        self._forces = battle.forces
        self._attacking = battle.forces.attacking
        self._defending = battle.forces.defending
        # Without a man who could cut them there are no charges.
        self._is_mined = battle.is_mined and bool(self._cutters)
        self._letters: dict[str, str] = {}
        """The letters of zones by the ids of their groups, in the order in which a reader meets
        them."""

    def scenario(self) -> Raw:
        """The data of the scenario, without number and id."""
        attacker, defender = self._wishes.attacker, self._wishes.defender
        raw: Raw = {
            "format": 1,
            "title": self._filled_in(self._title),
            "tagline": self._theme.tagline,
            "date": self._wishes.month,
            "place": f"An invented place in {_in_a_sentence(self._region.name)}",
            "table": {
                "width_in": self._frame.width,
                "depth_in": self._frame.depth,
                "up": "N",
            },
            "sets_up_first": self._sets_up_first,
            "moves_first": attacker,
            "ends_after": {"side": defender, "turn": self._last_turn},
            "rulings": RULINGS,
            "situation": self._filled_in(self._situation),
            "history": "This battle was dealt by the program. It never took place, and its places "
            "are invented.",
            "sources": [f"Dealt by Skirmish, theme {self._theme.name}"],
            "side": [
                self._side(self._defending, self._role_of_defenders),
                self._side(self._attacking, self._role_of_attackers),
            ],
            "victory": self._victory(),
            "rule": self._special_rules(),
        }
        happenings = self._happenings()
        if happenings:
            raw["happening"] = happenings
        raw["map"] = self._map()
        return raw

    @property
    def _is_held_by_attackers(self) -> bool:
        """Whether the attackers hold the place when play begins, and their enemies come for it."""
        attackers_wait = any(group.entry == "zone" for group in self._theme.attackers)
        defenders_wait = any(group.entry == "zone" for group in self._theme.defenders)
        return attackers_wait and not defenders_wait

    @property
    def _sets_up_first(self) -> str:
        """The side that sets up first: the one that waits for the other."""
        if self._is_held_by_attackers:
            return self._wishes.attacker
        return self._wishes.defender

    @property
    def _role_of_attackers(self) -> str:
        """What the sheet calls the attackers of the theme."""
        if self._is_held_by_attackers:
            return "defender"
        return "attacker"

    @property
    def _role_of_defenders(self) -> str:
        """What the sheet calls the defenders of the theme."""
        if self._is_held_by_attackers:
            return "attacker"
        return "defender"

    def balance(self) -> str:
        """How the forces were weighed, without a promise."""
        works = sum(sum(group.values()) for group in self._defending.works)
        sentence = (
            f"The {self._attacking.people} have {self._forces.attack_points} points, the "
            f"{self._defending.people} {self._forces.defence_points}"
        )
        if works:
            sentence += f" and {works} works"
        if any(group.entry == "sea" for group in self._theme.attackers):
            sentence += ", not counting the craft"
        if any(group.trucks for group in self._theme.attackers):
            sentence += ", not counting the trucks of the convoy"
        if self._theme.meeting:
            return f"{sentence}. Both sides are meant to be equal."
        task = "an attack"
        if self._is_held_by_attackers:
            task = "a relief"
        return (
            f"{sentence}. By the ten scenarios and the odds, {task} of this kind comes out "
            f"about even at {self._forces.odds:.1f} times the points. That is an estimate."
        )

    def _filled_in(self, text: str) -> str:
        """A sentence of the theme with the names of places and peoples."""
        words = {
            **self._names.words(),
            "attackers": self._attacking.people,
            "defenders": self._defending.people,
        }
        sentence = text.format_map(words)
        return sentence[:1].upper() + sentence[1:]

    # ------------------------------------------------------------------ the order of battle

    def _side(self, side: DealtSide, role: str) -> Raw:
        """A side with its contingents; a group that got no figures is none."""
        contingents = []
        for group, force, group_works in zip(side.groups, side.forces, side.works, strict=True):
            units = self._in_catalog_order(force)
            works = self._in_catalog_order(group_works)
            if not units and not works:
                continue
            contingent: Raw = {
                "id": group.id,
                "name": group.name,
                "entry": self._entry(group),
                "deploy": self._deploy(group),
                "units": units,
            }
            if works:
                contingent["works"] = works
            contingents.append(contingent)
        if self._theme.meeting:
            role = "meeting"
        return {
            "id": side.nation.id,
            "name": f"{side.nation.name} {_force_name(side, role)}",
            "role": role,
            "contingent": contingents,
        }

    # Forces are chosen in an order of their own; files and sheets have that of the rules.
    def _in_catalog_order(self, counts: Mapping[str, int]) -> dict[str, int]:
        """The counts in the order of the catalog, without zeros."""
        return {piece: counts[piece] for piece in self._catalog.pieces if counts.get(piece)}

    def _edge_of(self, group: Group) -> Edge:
        """The edge over which a group enters: that of the attack, or the other one for defenders
        and for who comes from behind them."""
        is_far = group.entry == "far_edge" or group in self._theme.defenders
        if is_far:
            return OPPOSITE[self._frame.edge]
        return self._frame.edge

    def _entry(self, group: Group) -> Raw:
        """How a group enters, and when."""
        turn = group.turn_in(self._last_turn)
        match group.entry:
            case "zone":
                return {"kind": "zone", "zone": self._letter_of(group), "turn": 0}
            case "road":
                return {"kind": "road", "edge": self._edge_of(group), "turn": turn}
            case "corners":
                return {"kind": "corner", "corners": list(self._frame.corners), "turn": turn}
        # "edge", "far_edge" and "sea"
        return {"kind": "edge", "edge": self._edge_of(group), "turn": turn}

    def _letter_of(self, group: Group) -> str:
        """The letter of the zone in which a group sets up; the next free one for a new group."""
        if group.id not in self._letters:
            self._letters[group.id] = ZONE_LETTERS[len(self._letters)]
        return self._letters[group.id]

    def _deploy(self, group: Group) -> str:
        """The sentence that tells players where a group begins."""
        turn = group.turn_in(self._last_turn)
        edge = self._edge_of(group)
        match group.entry:
            case "zone" if group.hidden:
                letter = self._letter_of(group)
                off = inches(FROM_THE_ROAD)
                return f"In secret, anywhere in zone {letter}, {off} or more from the road."
            case "zone":
                return f"Anywhere in zone {self._letter_of(group)}."
            case "road":
                return f"Enters along the road at the {edge} edge on turn {turn}."
            case "corners":
                corners = " or ".join(self._frame.corners)
                return f"Enters at the {corners} corner on turn {turn}."
            case "sea":
                return f"Enters aboard its craft over the {edge} edge on turn {turn}."
        return f"Enters over the {edge} edge on turn {turn}."

    # ------------------------------------------------------------------ what is fought for

    def _victory(self) -> Raw:
        """The terms of victory, of the kind that the theme has."""
        otherwise = f"Otherwise the {self._defending.people} win."
        match self._theme.victory.kind:
            case "count":
                return self._win_by_count(otherwise)
            case "hold":
                return self._win_by_holding(otherwise)
            case "clear":
                return self._win_by_clearing(otherwise)
            case "destroy_then_exit":
                return self._win_by_raid(otherwise)
        if self._theme.victory.trucks:
            return self._win_by_convoy(otherwise)
        return self._win_by_exit(otherwise)

    @property
    def _at_the_end(self) -> Raw:
        """When it is seen who has won."""
        return {"side": self._wishes.defender, "turn": self._last_turn}

    @property
    def _at_the_end_in_words(self) -> str:
        """``at the end of German turn 9``."""
        return f"at the end of {self._defending.nation.name} turn {self._last_turn}"

    @property
    def _in_time(self) -> Raw:
        """The last turn of the attackers, by which they have to leave."""
        return {"side": self._attacking.nation.id, "turn": self._last_turn}

    @property
    def _in_time_in_words(self) -> str:
        """``by the end of American turn 9``."""
        return f"by the end of {self._attacking.nation.name} turn {self._last_turn}"

    def _win_by_count(self, otherwise: str) -> Raw:
        """Which side has more guys there in the end."""
        attacker, defender = self._wishes.attacker, self._wishes.defender
        where = self._counted_where()
        text = (
            f"The {self._attacking.people} win if, {self._at_the_end_in_words}, they have more "
            f"guys {where} than the {self._defending.people}. {otherwise}"
        )
        return {
            "kind": "count",
            "question": f"Guys {where}",
            "sides": [attacker, defender],
            "units": "guys",
            "wins": "more",
            "at": self._at_the_end,
            "equal": defender,
            "text": text,
        }

    def _counted_where(self) -> str:
        """Where guys count, in words."""
        within = f"within {inches(self._theme.victory.within_in)}"
        match self._theme.victory.around:
            case "bridge":
                return f"{within} of the far end of the bridge"
            case "buildings":
                return "in buildings"
        return f"{within} of the middle of the table"

    def _win_by_holding(self, otherwise: str) -> Raw:
        """How many buildings the attackers hold in the end."""
        people = self._attacking.people
        houses = len(self._table.houses)
        need = _percent_of(houses, self._theme.victory.need_percent)
        text = (
            f"The {people} win if, {self._at_the_end_in_words}, {need} of the {houses} buildings "
            f"hold only {people} or were last entered by them. {otherwise}"
        )
        return {
            "kind": "hold",
            "side": self._wishes.attacker,
            "what": "buildings",
            "need": need,
            "how": "solely_or_last",
            "at": self._at_the_end,
            "text": text,
        }

    def _win_by_clearing(self, otherwise: str) -> Raw:
        """No defender is left in the middle of the table in the end."""
        within = self._theme.victory.within_in
        text = (
            f"The {self._attacking.people} win if, {self._at_the_end_in_words}, no "
            f"{self._defending.nation.name} figure is within {inches(within)} of the middle of the "
            f"table. {otherwise}"
        )
        return {
            "kind": "clear",
            "side": self._wishes.attacker,
            "of": self._wishes.defender,
            "within_in": within,
            "point": "centre",
            "at": self._at_the_end,
            "text": text,
        }

    def _win_by_convoy(self, otherwise: str) -> Raw:
        """Trucks that get through."""
        force = self._attacking.whole_force()
        models = [unit for unit in force if not self._catalog.units[unit].is_guy]
        need = _percent_of(force["truck"], self._theme.victory.need_percent)
        # The victory texts of the ten write models small.
        trucks = self._catalog.units["truck"].named(need).lower()
        edge = OPPOSITE[self._frame.edge]
        return {
            "kind": "exit",
            "side": self._attacking.nation.id,
            "by": self._in_time,
            "edge": edge,
            "need": need,
            # Nothing counts but trucks.
            "weights": {"guy": 0, **dict.fromkeys(models, 0), "truck": 1},
            "text": f"The {self._attacking.people} win if they bring {trucks} off the table over "
            f"the {edge} edge {self._in_time_in_words}. {otherwise}",
        }

    def _win_by_exit(self, otherwise: str) -> Raw:
        """A part of the attackers that gets through."""
        goal = self._theme.victory
        force = self._attacking.whole_force()
        strength = 0
        for id, count in force.items():
            unit = self._catalog.units[id]
            # A cannon leaves only where something tows it, so nobody has to bring one out.
            if unit.move:
                strength += self._catalog.worth(unit) * count
        need = max(round(strength * goal.need_percent / 100), 1)
        edge = OPPOSITE[self._frame.edge]
        terms: Raw = {
            "kind": "exit",
            "side": self._attacking.nation.id,
            "by": self._in_time,
            "edge": edge,
            "need": need,
        }
        where = f"over the {edge} edge"
        if goal.within_in:
            terms["within_in"] = goal.within_in
            terms["of"] = "road"
            where += f", within {inches(goal.within_in)} of the road,"
        terms["text"] = (
            f"The {self._attacking.people} win if {need} guys' worth have left {where} "
            f"{self._in_time_in_words}. A model is worth 5 guys. {otherwise}"
        )
        return terms

    def _win_by_raid(self, otherwise: str) -> Raw:
        """Parked aircraft that are destroyed, and half of the raiders of the commonest kind who
        get away."""
        nation = self._attacking.nation
        targets = len(self._table.targets)
        need = _percent_of(targets, self._theme.victory.need_percent)
        force = self._attacking.whole_force()
        unit = max(force, key=lambda unit: force[unit])
        leaving = max(math.ceil(force[unit] / 2), 1)
        named = self._catalog.units[unit].named(leaving)
        edge = self._frame.edge
        return {
            "kind": "destroy_then_exit",
            "side": nation.id,
            "unit": "aircraft",
            "need": need,
            "then": {"unit": unit, "need": leaving, "edge": edge},
            "by": self._in_time,
            "text": f"The {self._attacking.people} win if they destroy {need} of the {targets} "
            f"aircraft and then exit {named} over the {edge} edge, all {self._in_time_in_words}. "
            f"{otherwise}",
        }

    # ------------------------------------------------------------------ what else is to be known

    def _special_rules(self) -> list[Raw]:
        """The rules of the theme, and what else players must know."""
        rules = [{"name": rule.name, "text": rule.text} for rule in self._theme.rules]
        if self._theme.night:
            rules.append({"name": NIGHT_RULE, "text": self._night_text})
        if self._is_mined:
            rules.append({"name": CHARGES_RULE, "text": self._charges_text})
        if any(crossing.is_ford for crossing in self._table.crossings):
            rules.append({"name": "Ford", "text": "A ford is crossed like open ground."})
        for group, force in zip(self._theme.defenders, self._defending.forces, strict=True):
            if group.hidden and force:
                rules.append({"name": HIDDEN_RULE, "text": self._hidden_rule(group)})
        rules.append({"name": "Balance", "text": self.balance()})
        return rules

    def _hidden_rule(self, group: Group) -> str:
        """How a group hides and when it is seen, for the players."""
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
        if cutters[0] in "AEIOU":
            article = "an"
        return (
            f"The {defenders} have mined the bridge {CHARGES_MARK}. From turn {first} on they draw "
            f"at the start of each of their turns: A-{RANK_OF_CHARGES} blows it up, and nobody "
            f"crosses there any more. The {attackers} cut the charges for good if {article} "
            f"{cutters} starts a turn of theirs touching it."
        )

    @property
    def _first_turn_of_charges(self) -> int:
        """The turn of the first draw: the attackers are on their way by then."""
        return max(math.ceil(self._last_turn * START_OF_CHARGES), 2)

    @property
    def _cutters(self) -> list[str]:
        """The attackers' units that can cut charges."""
        force = self._in_catalog_order(self._attacking.whole_force())
        return [unit for unit in force if unit in CAN_CUT]

    def _happenings(self) -> list[Raw]:
        """The night, charges, groups that hide, and an alarm that brings more men."""
        happenings: list[Raw] = []
        if self._theme.night and self._wishes.version >= FIRST_WITH_DARKNESS:
            happenings.append(self._darkness())
        if self._is_mined:
            happenings.append(self._charges())
        for group, force in zip(self._theme.defenders, self._defending.forces, strict=True):
            if group.hidden and force:
                happenings.append(self._revealing(group, force))
            # Even the smallest alarm may bring two rifles a turn (``_alarm``), and there must be
            # enough for every turn.
            if group.alarm and self._forces.reserve >= 2 * self._last_turn:
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
            "side": self._wishes.defender,
            "what": f"the bridge {CHARGES_MARK}",
            "mark": CHARGES_MARK,
            "from_turn": self._first_turn_of_charges,
            "needs": RANK_OF_CHARGES,
            "cut_by": self._cutters,
            "text": self._charges_text,
        }

    def _revealing(self, group: Group, force: Mapping[str, int]) -> Raw:
        """A hidden group, and what reveals it."""
        return {
            "kind": "reveal",
            "rule": HIDDEN_RULE,
            "side": self._wishes.defender,
            "contingent": group.id,
            "units": list(self._in_catalog_order(force)),
            "when": "distance",
            "within_in": group.hidden,
            "text": f"Hidden {self._defending.people} are revealed when an enemy comes within "
            f"{inches(group.hidden)}, or when they fire.",
        }

    def _alarm(self, group: Group) -> Raw:
        """Reinforcements by draw: nearly this part of the attacker's price a turn on average, as
        far as the figures go. A Rifle Guy counts as one point."""
        a_turn = group.alarm * self._forces.attack_points
        # Even where every draw brings the larger number, no more come than there are.
        most = self._forces.reserve // (2 * self._last_turn)
        few = min(max(round(a_turn), 1), most)
        edge = OPPOSITE[self._frame.edge]
        # Of twelve cards five bring nobody, four bring ``few`` and three twice as many: on average
        # that is 5/6 of ``few``, which is near enough.
        rows: list[Raw] = [
            {"ranks": [1, 5], "nothing": True},
            {"ranks": [6, 9], "units": {"rifle": few}},
            {"ranks": [10, 12], "units": {"rifle": few * 2}},
        ]
        return {
            "kind": "draw_table",
            "side": self._wishes.defender,
            "from_turn": 2,
            "draws": 1,
            "text": f"The {self._defending.people} draw a card at the start of each turn, from "
            f"turn 2 on: who wakes up enters over the {edge} edge.",
            "table": rows,
        }

    # ------------------------------------------------------------------ the map

    def _map(self) -> Raw:
        """The map: what was chosen for the table, and what this battle adds to it."""
        field: Raw = {
            "ground": self._region.ground,
            "note": "The whole table is invented.",
            **self._table.parts,
            "zone": self._zones(),
            "arrow": self._arrows(),
            "circle": self._circles(),
        }
        if self._is_mined:
            place = self._table.crossings[0].place
            on_bridge = {"kind": "objective", "at": list(self._frame.on_map(place))}
            field["mark"] = [*field.get("mark", []), {**on_bridge, "mark": CHARGES_MARK}]
        field["dimension"] = self._dimensions(standing_on(field))
        # Last, as labels stand where all the rest leaves room.
        field["label"] = place_labels(self._table, self._names, field)
        return {name: field[name] for name in ORDER_OF_MAP if field.get(name)}

    def _zones(self) -> list[Raw]:
        """The zones in which groups set up."""
        zones = []
        for side in (self._defending, self._attacking):
            for group in side.groups:
                if group.zone is not None:
                    zones.append(self._zone(side, group))
        return zones

    def _zone(self, side: DealtSide, group: Group) -> Raw:
        """The zone of a group, across the table or a part of it."""
        first, last = self._depth_of_zone(group)
        # In the middle of the breadth, seen along the attack.
        right = round(self._frame.breadth * (1 - group.width) / 2)
        left = self._frame.breadth - right
        corners = [(first, right), (last, right), (last, left), (first, left)]
        inside = [self._off_the_edge(corner) for corner in corners]
        tag = place_for_letter(self._table, (first, right), (last, left))
        return {
            "letter": self._letter_of(group),
            "side": side.nation.id,
            "points": [list(self._frame.on_map(corner)) for corner in inside],
            "fill": "edge",
            "tag": list(self._frame.on_map(tag)),
        }

    def _depth_of_zone(self, group: Group) -> tuple[int, int]:
        """How far along the attack a zone begins, and how far it reaches."""
        assert group.zone is not None, "the group sets up in a zone"
        first, last = (round(share * self._frame.length) for share in group.zone)
        return first, last

    def _off_the_edge(self, corner: Point) -> Point:
        """The corner of a zone, moved onto the table where it lies on its edge."""
        along = min(max(corner[0], LINE_ROOM), self._frame.length - LINE_ROOM)
        return along, min(max(corner[1], LINE_ROOM), self._frame.breadth - LINE_ROOM)

    def _dimensions(self, standing: Sequence[Rectangle]) -> list[Raw]:
        """The depth of each zone that goes all across the table: on the map a line with a number,
        which covers nothing that is ``standing`` there, if there is such a place."""
        dimensions: list[Raw] = []
        for side in (self._defending, self._attacking):
            for group in side.groups:
                if group.zone is None or group.width < 1.0:
                    continue
                first, last = self._depth_of_zone(group)
                across = self._free_across((first + last) / 2, standing)
                dimensions.append({
                    "start": list(self._frame.on_map((first, across))),
                    "end": list(self._frame.on_map((last, across))),
                    "means": f"zone {self._letter_of(group)}",
                })  # fmt: skip
        return dimensions

    def _free_across(self, along: float, standing: Sequence[Rectangle]) -> float:
        """The first place across the table for a number so far along it that covers nothing; one
        that covers least if there is none."""

        def covered(across: float) -> int:
            number = number_of_dimension(self._frame.on_map((along, across)))
            return sum(1 for box in standing if number.overlaps(box))

        places = [self._frame.breadth * share for share in DIMENSION_PLACES]
        # A street of houses may take all of those; then every few inches are tried.
        places += range(DIMENSION_STEP, round(self._frame.breadth), DIMENSION_STEP)
        return min(places, key=covered)

    def _arrows(self) -> list[Raw]:
        """Where forces enter: of each side once for each edge."""
        arrows = []
        drawn: set[tuple[str, Edge]] = set()
        for side in (self._attacking, self._defending):
            for group in side.groups:
                edge = self._edge_of(group)
                if group.entry == "zone" or (side.nation.id, edge) in drawn:
                    continue
                drawn.add((side.nation.id, edge))
                for across in self._arrow_places(group):
                    arrows.append(self._arrow(side, edge, across))
        return arrows

    def _arrow(self, side: DealtSide, edge: Edge, across: float) -> Raw:
        """An arrow over an edge onto the table."""
        start, end = ARROW_START, ARROW_END
        if edge != self._frame.edge:
            start, end = self._frame.length - ARROW_START, self._frame.length - ARROW_END
        points = [self._frame.on_map((along, across)) for along in (start, end)]
        return {"side": side.nation.id, "points": [list(point) for point in points]}

    def _arrow_places(self, group: Group) -> list[float]:
        """How far across the table the arrows of a group stand."""
        breadth = self._frame.breadth
        if group.entry == "road" and self._table.main_road:
            return [self._table.main_road[0][1]]
        if group.entry == "corners":
            return [CORNER_ARROW, breadth - CORNER_ARROW]
        return [breadth * share for share in ARROW_PLACES]

    def _circles(self) -> list[Raw]:
        """The circle in which figures count, if the battle is about one."""
        goal = self._theme.victory
        if not goal.within_in or goal.kind == "exit":
            return []
        centre = self._table.middle
        if goal.around == "bridge":
            centre = self._table.far_bank
        return [{"at": list(self._frame.on_map(centre)), "radius": goal.within_in}]


def _percent_of(whole: int, percent: int) -> int:
    """So many percent of a whole number, rounded up; one at least."""
    return max(math.ceil(whole * percent / 100), 1)


def _force_name(side: DealtSide, role: str) -> str:
    """What a side is called behind its nation: ``rear guard``."""
    if role == "meeting":
        return "column"
    first = side.groups[0].name
    return first[:1].lower() + first[1:]


def _in_a_sentence(name: str) -> str:
    """``the Ardennes`` where the name begins a line with a capital letter."""
    if name.startswith("The "):
        return name[:1].lower() + name[1:]
    return name
