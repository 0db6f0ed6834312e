"""Makes a scenario of a theme, a seed and what the players wish for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.dealing.forces import ENOUGH, Recruiter, Stock, parted
from skirmish.games.plastic.dealing.ground import DealtGround, Owned
from skirmish.games.plastic.dealing.names import PlaceNames, lettered, place_labels
from skirmish.games.plastic.dealing.squares import (
    COVER,
    NO_MODELS,
    OPPOSITE,
    AttackFrame,
    Ground,
    Place,
)
from skirmish.games.plastic.dealing.terrain import INCHES, in_inches
from skirmish.games.plastic.dealing.themes import Group, Month, Region, Regions, Theme
from skirmish.games.plastic.rules.catalog import Catalog, Nation
from skirmish.games.plastic.scenarios.order_of_battle import Edge
from skirmish.tabletop.data_file import Strict
from skirmish.tabletop.measure import inches
from skirmish.tabletop.plane import Point

VERSION = 1
"""Of what is dealt: another number deals other battles from the same seed."""
FEET = (4, 12)
"""The smallest and the largest side of a table."""
POINTS = (50, 1000)
"""The fewest and the most points of the larger side."""
ATTEMPTS = 8
"""Tables that are laid before the best of them is taken."""
ON_FOOT, BY_ROAD = 6, 12
"""Inches of a move."""
SLACK: dict[str, int] = {"short": -1, "evening": 0, "long": 2}
"""Turns more or less, by the length that is wished for."""
RULINGS = ["P58", "P59", "P60", "P76"]
"""Those that players of any dealt battle should know."""
FORCE_SEEDS = 64
"""A seed is one of the table and one of the forces, which is the smaller part of it: either may be
dealt again without the other."""
LEAST_WITH_TANKS = 90
"""Points below which a tank would be most of a force."""
LEAST_DEALT = 10
"""Points that a side has at least, however few figures there are."""
BARE = 12
"""Percent of cover below which any table is bare: the median of the ten is 14."""
MEN_OF_A_HOUSE, MEN_OF_A_DEFENCE = 5, 40
"""Men whom a house shelters, and those of a usual defence."""
SIGHT = 24
"""Inches within which being seen matters."""
Raw: TypeAlias = dict[str, Any]
Length: TypeAlias = Literal["short", "evening", "long"]


class Wishes(Strict, frozen=True, kw_only=True):
    """What is asked before a deal. The table is in feet; ``points`` are those of the larger side;
    ``figures`` and ``terrain`` are what there is, by piece (lines in feet), or None where anything
    goes. ``attacker`` and ``defender`` are nations."""

    theme: str
    region: str
    month: Month
    attacker: str
    defender: str
    width: Annotated[int, msgspec.Meta(ge=FEET[0], le=FEET[1])] = 8
    depth: Annotated[int, msgspec.Meta(ge=FEET[0], le=FEET[1])] = 5
    points: Annotated[int, msgspec.Meta(ge=POINTS[0], le=POINTS[1])] = 150
    length: Length = "evening"
    figures: Mapping[str, int] | None = None
    terrain: Mapping[str, int] | None = None


class Books(NamedTuple):
    """The data that a deal is made from."""

    catalog: Catalog
    themes: Mapping[str, Theme]
    regions: Regions


class Dealt(msgspec.Struct, frozen=True):
    """A dealt battle: the data of its scenario, as in a file, without number and id; how it was
    balanced, in a sentence; and the figures of both sides."""

    raw: Raw
    balance: str
    attack_points: int
    defence_points: int
    odds: float


class NoSuchBattleError(ValueError):
    """Nothing can be dealt for what is asked; its text is a sentence that says why."""


def deal(wishes: Wishes, seed: int, books: Books) -> Dealt:
    """The battle of these wishes and this seed: the same ones give the same battle anywhere.
    Raises NoSuchBattleError."""
    return _Deal(wishes, seed, books).dealt()


def as_scenario(dealt: Dealt, number: int, id: str, code: str) -> Raw:
    """The data of a dealt battle as that of a scenario of the player's own, with its ``code``."""
    # The head of a file is read first, so it stands first.
    head = {"format": 1, "number": number, "id": id, "title": dealt.raw["title"], "deal": code}
    return {**head, **{key: value for key, value in dealt.raw.items() if key not in head}}


class _Side(NamedTuple):
    """A side of the battle: its nation, its groups, and the units and works of each."""

    nation: Nation
    groups: Sequence[Group]
    forces: list[Counter[str]]
    works: list[Counter[str]]

    @property
    def people(self) -> str:
        return self.nation.people


class _Table(NamedTuple):
    """A table that was laid, and what was measured on it: how many ``faults`` it has, how many
    inches the attackers walk, and the part of the defenders' front that they can reach in cover."""

    ground: DealtGround
    faults: int
    walk: float
    near_cover: float


class _Deal:
    def __init__(self, wishes: Wishes, seed: int, books: Books) -> None:
        self._wishes = wishes
        self._books = books
        self._theme = books.themes[wishes.theme]
        self._region: Region = books.regions.regions[wishes.region]
        # Python draws the same from a text on every machine.
        self._chance = Random(f"{VERSION}:table:{seed // FORCE_SEEDS}")
        self._frame = self._attack_frame()
        self._table = self._best_table()
        self._ground = self._table.ground
        self._names = PlaceNames(self._region, self._chance)
        self._title = self._chance.choice(self._theme.titles)
        self._situation = self._chance.choice(self._theme.situations)
        self._turns = self._last_turn()
        self._letters: dict[str, str] = {}
        self._chance = Random(f"{VERSION}:forces:{seed % FORCE_SEEDS}")
        self._raise_forces()

    # ------------------------------------------------------------------ the table

    def _attack_frame(self) -> AttackFrame:
        width, depth = self._wishes.width * INCHES, self._wishes.depth * INCHES
        across_width: list[Edge] = ["W", "E"]
        across_depth: list[Edge] = ["S", "N"]
        long, short = across_width, across_depth
        if depth > width:
            long, short = across_depth, across_width
        edges = short
        if self._theme.attack == "long":
            edges = long
        return AttackFrame(self._chance.choice(edges), width, depth)

    def _best_table(self) -> _Table:
        """The first table without a fault, or the one with the fewest."""
        best: _Table | None = None
        for _ in range(ATTEMPTS):
            terrain = self._wishes.terrain
            if terrain is not None:
                terrain = in_inches(terrain)
            ground = DealtGround(
                self._theme, self._region, self._frame, Owned(terrain), self._chance
            )
            table = self._measured(ground)
            if best is None or table.faults < best.faults:
                best = table
            if not best.faults:
                break
        assert best is not None
        return best

    def _measured(self, ground: DealtGround) -> _Table:
        goal = ground.objective
        starts = self._starts(ground)
        walk = ground.squares.walk(starts, goal, Ground.WATER)
        faults = 0
        if walk is None:
            faults += 20
            walk = float(self._frame.length)
        elif ground.squares.walk(starts, goal, NO_MODELS) is None:
            faults += 5
        least, most = self._region.cover
        # Behind a beach there is too little room for as much, and who has few woods has few.
        has_room = not ground.shore and self._wishes.terrain is None
        cover = ground.cover_share()
        if cover > most + 4 or (has_room and cover < min(least, BARE)):
            faults += 2
        if self._theme.objective == "village" and len(ground.houses) < 3:
            faults += 6
        if self._theme.objective == "targets" and len(ground.targets) < 4:
            faults += 6
        if self._theme.victory.around == "bridge" and len(ground.crossings) < 2:
            faults += 3
        if self._theme.objective in ("bridge", "middle") and self._hidden_half(ground) > 0.9:
            faults += 1
        return _Table(ground, faults, walk, self._near_cover(ground))

    def _starts(self, ground: DealtGround) -> list[Place]:
        """Where the attackers enter."""
        along = int(ground.shore)
        if any(group.entry == "corners" for group in self._theme.attackers):
            breadth = self._frame.breadth
            return [(along, 2), (along, breadth - 3)]
        return [(along, across) for across in range(4, self._frame.breadth - 4, 3)]

    def _front(self) -> float:
        """How far from the attacker's edge the defenders' area begins."""
        fronts = [group.zone[0] for group in self._theme.defenders if group.zone]
        return min(fronts, default=0.5) * self._frame.length

    def _near_cover(self, ground: DealtGround) -> float:
        """The part of the defenders' front that has cover for attackers within 12 inches."""
        front = self._front()
        near = 0
        places = range(3, self._frame.breadth, 6)
        for across in places:
            box = ((along, side) for along in range(int(front) - 12, int(front), 2)
                   for side in range(across - 4, across + 5, 2))  # fmt: skip
            if not ground.squares.are_free(box, COVER):
                near += 1
        return near / len(places)

    def _hidden_half(self, ground: DealtGround) -> float:
        """The part of lines of 24 inches before the objective that something blocks."""
        goal = ground.objective
        blocked = total = 0
        for across in range(4, self._frame.breadth, 8):
            eye = (max(goal[0] - SIGHT, 1.0), float(across))
            if math.dist(eye, goal) <= SIGHT + 12:
                total += 1
                blocked += not ground.squares.is_in_sight(goal, eye)
        return blocked / max(total, 1)

    # ------------------------------------------------------------------ the clock

    def _last_turn(self) -> int:
        walk = self._table.walk
        move = ON_FOOT
        if any(group.motor or group.trucks for group in self._theme.attackers):
            move = BY_ROAD
        turns = math.ceil(walk / move)
        if self._theme.back:
            turns *= 2
        last = turns + self._theme.slack + SLACK[self._wishes.length]
        # Who comes later needs his way and three turns.
        for group in self._theme.attackers:
            while group.turn_share and self._turn_of(group, last) + turns + 2 > last:
                last += 1
        return max(last, 6)

    def _turn_of(self, group: Group, last: int) -> int:
        """The turn on which a group enters; 0 for one that is on the table."""
        if group.entry == "zone":
            return 0
        if group.turn_share:
            return max(2, round(group.turn_share * last))
        return group.turn or 1

    # ------------------------------------------------------------------ the forces

    def _odds(self, dug_in: float) -> float:
        """How many times the defender's points the attacker has, where this part of the defenders
        is dug in."""
        if self._theme.meeting:
            return 1.0
        works = 0.1 * self._theme.cover_odds * (dug_in - 1)
        cover = 0.6 * (self._table.near_cover - 0.3) * (self._theme.cover_odds > 0)
        return max(self._theme.odds + works - cover, 0.6)

    def _raise_forces(self) -> None:
        """Both forces, at the points wished for or as many as the figures allow. Raises
        NoSuchBattleError."""
        points = self._wishes.points
        state = self._chance.getstate()
        while True:
            self._chance.setstate(state)
            if self._raise_for(points):
                return
            if points <= LEAST_DEALT:
                raise NoSuchBattleError(
                    "There are too few figures for two sides. Enter more, or play with any."
                )
            points = int(points * 0.9)

    def _raise_for(self, points: int) -> bool:
        """Raise both forces; returns whether the figures sufficed."""
        figures = self._wishes.figures
        stock = Stock(None if figures is None else dict(figures))
        attackers = self._recruiter(self._wishes.attacker, stock)
        defenders = self._recruiter(self._wishes.defender, stock)
        # All of the defenders are taken to be dug in; what that means for the works comes after.
        dug_in = 1.0
        if stock.left is not None and not stock.has("entrenchment") + stock.has("sandbags"):
            dug_in = min(len(self._ground.houses) * MEN_OF_A_HOUSE / MEN_OF_A_DEFENCE, 1.0)
        self._odds_dealt = self._odds(dug_in)
        attack = points
        defence = round(points / self._odds_dealt)
        if self._odds_dealt < 1:
            attack, defence = round(points * self._odds_dealt), points
        arms = self._arms()
        attack_force = self._attack_force(attackers, attack, arms)
        tanks = sum(attack_force[id] for id in ("tank", "tiger", "kv", "desert_tank"))
        defence_arms = "infantry"
        if self._theme.meeting:
            defence_arms = arms
        defence_force = defenders.force(defence, defence_arms, enemy_tanks=tanks)
        self._attack_points = attackers.price(attack_force)
        self._defence_points = defenders.price(defence_force)
        self._attacking = self._grouped(self._theme.attackers, attackers, attack_force)
        self._defending = self._grouped(self._theme.defenders, defenders, defence_force)
        self._reserve = stock.has("rifle")
        if self._theme.objective == "targets" and self._ground.targets:
            self._defending.forces[0]["aircraft"] = len(self._ground.targets)
        for group, part in zip(self._theme.attackers, self._attacking.forces, strict=True):
            if group.entry == "sea" and attackers.seats(part) < attackers.men(part):
                return False
        spent_enough = self._attack_points >= attack * ENOUGH
        return spent_enough and self._defence_points >= defence * ENOUGH

    def _recruiter(self, nation: str, stock: Stock) -> Recruiter:
        books = self._books
        without = []
        if self._theme.objective == "targets":
            # Players call both it and the parked aircraft by one letter.
            without.append("kv")
        return Recruiter(
            books.catalog,
            books.regions,
            region=self._region,
            nation=nation,
            month=self._wishes.month,
            stock=stock,
            chance=self._chance,
            without=without,
        )

    def _arms(self) -> str:
        """What the attack is made of."""
        possible = list(self._theme.arms)
        if self._wishes.points < LEAST_WITH_TANKS and "armour" in possible:
            possible.remove("armour")
        return self._chance.choice(possible)

    def _attack_force(self, recruiter: Recruiter, points: int, arms: str) -> Counter[str]:
        is_motor = any(group.motor for group in self._theme.attackers)
        walk_turns = math.ceil(self._table.walk / ON_FOOT)
        needs_seats = is_motor or walk_turns + 3 > self._turns
        return recruiter.force(points, arms, men_aboard=needs_seats)

    def _grouped(self, groups: Sequence[Group], recruiter: Recruiter, force: Counter[str]) -> _Side:
        parts = parted(force, [group.share for group in groups], self._books.catalog)
        works = []
        for group, part in zip(groups, parts, strict=True):
            # Craft, and what is to be brought through, come besides the points.
            if group.entry == "sea":
                recruiter.craft(part)
            if group.trucks:
                wanted = min(max(round(self._attack_points / 25), 4), 10)
                part["truck"] += recruiter.take("truck", wanted)
            if group.works:
                works.append(recruiter.works(recruiter.men(part)))
            else:
                works.append(Counter())
        return _Side(self._books.catalog.nations[recruiter.nation], groups, parts, works)

    # ------------------------------------------------------------------ the scenario

    def dealt(self) -> Dealt:
        """The battle."""
        balance = self._balance()
        attacker, defender = self._wishes.attacker, self._wishes.defender
        title, situation = self._words()
        raw: Raw = {
            "format": 1,
            "title": title,
            "tagline": self._theme.tagline,
            "date": self._wishes.month,
            "place": f"An invented place in {_in_a_sentence(self._region.name)}",
            "table": {
                "width_in": self._frame.width,
                "depth_in": self._frame.depth,
                "up": "N",
            },
            "sets_up_first": defender,
            "moves_first": attacker,
            "ends_after": {"side": defender, "turn": self._turns},
            "rulings": RULINGS,
            "situation": situation,
            "history": "This battle was dealt by the program. It never took place, and its places "
            "are invented.",
            "sources": [f"Dealt by Skirmish, theme {self._theme.name}"],
            "side": [
                self._side(self._defending, "defender"),
                self._side(self._attacking, "attacker"),
            ],
            "victory": self._victory(),
            "rule": self._special_rules(balance),
        }
        happenings = self._happenings()
        if happenings:
            raw["happening"] = happenings
        raw["map"] = self._map()
        return Dealt(raw, balance, self._attack_points, self._defence_points, self._odds_dealt)

    def _words(self) -> tuple[str, str]:
        """The title and the situation."""
        words = self._names.words() | {
            "attackers": self._attacking.people,
            "defenders": self._defending.people,
        }
        title = self._title.format_map(words)
        situation = self._situation.format_map(words)
        return title[:1].upper() + title[1:], situation[:1].upper() + situation[1:]

    def _balance(self) -> str:
        """How the forces were weighed, without a promise."""
        attack, defence = self._attack_points, self._defence_points
        works = sum(sum(group.values()) for group in self._defending.works)
        sentence = (
            f"The {self._attacking.people} have {attack} points, the {self._defending.people} "
            f"{defence}"
        )
        if works:
            sentence += f" and {works} works"
        if any(group.entry == "sea" for group in self._theme.attackers):
            sentence += ", not counting the craft"
        if any(group.trucks for group in self._theme.attackers):
            sentence += ", not counting the trucks of the convoy"
        if self._theme.meeting:
            return f"{sentence}. Both sides are meant to be equal."
        return (
            f"{sentence}. By the ten scenarios and the odds, an attack of this kind comes out "
            f"about even at {self._odds_dealt:.1f} times the points. That is an estimate."
        )

    def _side(self, side: _Side, role: str) -> Raw:
        contingents = []
        for number, group in enumerate(side.groups):
            units = self._ordered(side.forces[number])
            works = self._ordered(side.works[number])
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

    def _ordered(self, counts: Mapping[str, int]) -> dict[str, int]:
        """In the order of the catalog, without zeros."""
        return {piece: counts[piece] for piece in self._books.catalog.pieces if counts.get(piece)}

    def _edge_of(self, group: Group) -> Edge:
        edge = self._frame.edge
        is_far = group.entry == "far_edge" or group in self._theme.defenders
        if is_far:
            return OPPOSITE[edge]
        return edge

    def _entry(self, group: Group) -> Raw:
        turn = self._turn_of(group, self._turns)
        match group.entry:
            case "zone":
                return {"kind": "zone", "zone": self._letter_of(group), "turn": 0}
            case "road":
                return {"kind": "road", "edge": self._edge_of(group), "turn": turn}
            case "corners":
                return {"kind": "corner", "corners": list(self._frame.corners), "turn": turn}
        return {"kind": "edge", "edge": self._edge_of(group), "turn": turn}

    def _letter_of(self, group: Group) -> str:
        if group.id not in self._letters:
            self._letters[group.id] = "ABCDEFG"[len(self._letters)]
        return self._letters[group.id]

    def _deploy(self, group: Group) -> str:
        turn = self._turn_of(group, self._turns)
        edge = self._edge_of(group)
        match group.entry:
            case "zone" if group.hidden:
                letter = self._letter_of(group)
                return f"In secret, anywhere in area {letter}, {inches(6)} or more from the road."
            case "zone":
                return f"Anywhere in area {self._letter_of(group)}."
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
        goal = self._theme.victory
        attacker, defender = self._wishes.attacker, self._wishes.defender
        end = {"side": defender, "turn": self._turns}
        when = f"at the end of {self._defending.nation.name} turn {self._turns}"
        otherwise = f"Otherwise the {self._defending.people} win."
        people = self._attacking.people
        match goal.kind:
            case "count":
                where = self._counted_where()
                text = (
                    f"The {people} win if, {when}, they have more guys {where} than the "
                    f"{self._defending.people}. {otherwise}"
                )
                return {
                    "kind": "count", "question": f"Guys {where}", "sides": [attacker, defender],
                    "units": "guys", "wins": "more", "at": end, "equal": defender, "text": text,
                }  # fmt: skip
            case "hold":
                houses = len(self._ground.houses)
                need = max(math.ceil(houses * goal.need_percent / 100), 1)
                text = (
                    f"The {people} win if, {when}, {need} of the {houses} buildings hold only "
                    f"{people} or were last entered by them. {otherwise}"
                )
                return {
                    "kind": "hold", "side": attacker, "what": "buildings", "need": need,
                    "how": "solely_or_last", "at": end, "text": text,
                }  # fmt: skip
            case "clear":
                text = (
                    f"The {people} win if, {when}, no {self._defending.nation.name} figure is "
                    f"within {inches(goal.within_in)} of the middle of the table. {otherwise}"
                )
                return {
                    "kind": "clear", "side": attacker, "of": defender,
                    "within_in": goal.within_in, "point": "centre", "at": end, "text": text,
                }  # fmt: skip
            case "destroy_then_exit":
                return self._raid(otherwise)
        return self._exit(otherwise)

    def _counted_where(self) -> str:
        match self._theme.victory.around:
            case "bridge":
                return (
                    f"within {inches(self._theme.victory.within_in)} of the far end of the bridge"
                )
            case "buildings":
                return "in buildings"
        return f"within {inches(self._theme.victory.within_in)} of the middle of the table"

    def _exit(self, otherwise: str) -> Raw:
        goal = self._theme.victory
        people, nation = self._attacking.people, self._attacking.nation
        edge = OPPOSITE[self._frame.edge]
        by = {"side": nation.id, "turn": self._turns}
        terms: Raw = {"kind": "exit", "side": nation.id, "by": by, "edge": edge}
        force = self._all_of(self._attacking)
        until = f"by the end of {nation.name} turn {self._turns}"
        if goal.trucks:
            trucks = max(force["truck"], 1)
            terms["need"] = max(math.ceil(trucks * goal.need_percent / 100), 1)
            terms["weights"] = {"guy": 0, **dict.fromkeys(self._models(force), 0), "truck": 1}
            terms["text"] = (
                f"The {people} win if {terms['need']} trucks have left over the {edge} edge "
                f"{until}. {otherwise}"
            )
            return terms
        catalog = self._books.catalog
        strength = sum(catalog.worth(catalog.units[id]) * count for id, count in force.items())
        terms["need"] = max(round(strength * goal.need_percent / 100), 1)
        where = f"over the {edge} edge"
        if goal.within_in:
            terms["within_in"], terms["of"] = goal.within_in, "road"
            where += f", within {inches(goal.within_in)} of the road,"
        terms["text"] = (
            f"The {people} win if {terms['need']} guys' worth have left {where} {until}. A model "
            f"is worth 5 guys. {otherwise}"
        )
        return terms

    def _models(self, force: Mapping[str, int]) -> list[str]:
        return [id for id in force if not self._books.catalog.units[id].is_guy]

    def _all_of(self, side: _Side) -> Counter[str]:
        force: Counter[str] = Counter()
        for part in side.forces:
            force += part
        return force

    def _raid(self, otherwise: str) -> Raw:
        people, nation = self._attacking.people, self._attacking.nation
        targets = len(self._ground.targets)
        need = max(math.ceil(targets * self._theme.victory.need_percent / 100), 1)
        force = self._all_of(self._attacking)
        unit, count = max(force.items(), key=lambda item: item[1])
        leaving = max(math.ceil(count / 2), 1)
        named = self._books.catalog.units[unit].named(leaving)
        edge = self._frame.edge
        return {
            "kind": "destroy_then_exit",
            "side": nation.id,
            "unit": "aircraft",
            "need": need,
            "then": {"unit": unit, "need": leaving, "edge": edge},
            "by": {"side": nation.id, "turn": self._turns},
            "text": f"The {people} win if they destroy {need} of the {targets} aircraft and then "
            f"exit {named} over the {edge} edge, all by the end of {nation.name} turn "
            f"{self._turns}. {otherwise}",
        }

    def _special_rules(self, balance: str) -> list[Raw]:
        rules = [{"name": rule.name, "text": rule.text} for rule in self._theme.rules]
        if self._theme.night:
            dawn = max(self._turns - 3, 2)
            rules.append({
                "name": "Night",
                "text": f"Nobody sees farther than {inches(self._theme.night)} before turn {dawn}.",
            })  # fmt: skip
        if any(crossing.is_ford for crossing in self._ground.crossings):
            rules.append({"name": "Ford", "text": "A ford is crossed like open ground."})
        rules.append({"name": "Balance", "text": balance})
        return rules

    def _happenings(self) -> list[Raw]:
        happenings: list[Raw] = []
        for group, force in zip(self._theme.defenders, self._defending.forces, strict=True):
            side = self._wishes.defender
            if group.hidden and force:
                happenings.append({
                    "kind": "reveal", "side": side, "contingent": group.id,
                    "units": list(self._ordered(force)), "when": "distance",
                    "within_in": group.hidden,
                    "text": f"Hidden {self._defending.people} are revealed when an enemy comes "
                    f"within {inches(group.hidden)}, or when they fire.",
                })  # fmt: skip
            if group.alarm and self._reserve >= 2 * self._turns:
                happenings.append(self._alarm(group))
        return happenings

    def _alarm(self, group: Group) -> Raw:
        """Reinforcements by draw: on average of this part of the attacker's price a turn, as far as
        the figures go."""
        a_turn = group.alarm * self._attack_points
        # Even where every draw brings the larger number, no more come than there are.
        most = self._reserve // (2 * self._turns)
        few = min(max(round(a_turn), 1), most)
        edge = OPPOSITE[self._frame.edge]
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
        ground = self._ground
        field: Raw = {
            "ground": self._region.ground,
            "note": "The whole table is invented.",
        }
        field.update(ground.parts)
        zones, dimensions = self._zones()
        if zones:
            field["zone"] = zones
            field["dimension"] = dimensions
        arrows = self._arrows()
        if arrows:
            field["arrow"] = arrows
        circle = self._circle()
        if circle:
            field["circle"] = [circle]
        field["label"] = place_labels(self._frame, ground, self._names, field)
        order = (
            "ground", "note", "area", "slope", "line", "building", "zone", "mark", "dimension",
            "arrow", "circle", "label",
        )  # fmt: skip
        return {name: field[name] for name in order if field.get(name)}

    def _zones(self) -> tuple[list[Raw], list[Raw]]:
        zones, dimensions = [], []
        length, breadth = self._frame.length, self._frame.breadth
        for side in (self._defending, self._attacking):
            for group in side.groups:
                if group.zone is None:
                    continue
                first, last = (round(share * length) for share in group.zone)
                lower = round(breadth * (1 - group.width) / 2)
                upper = breadth - lower
                corners = [(first, lower), (last, lower), (last, upper), (first, upper)]
                inside = [self._off_the_edge(corner) for corner in corners]
                tag = lettered(self._ground, (first, lower), (last, upper))
                zones.append({
                    "letter": self._letter_of(group),
                    "side": side.nation.id,
                    "points": [list(self._frame.on_map(corner)) for corner in inside],
                    "fill": "edge",
                    "tag": list(self._frame.on_map(tag)),
                })  # fmt: skip
                across = breadth * 0.88
                if group.width == 1.0:
                    dimensions.append(self._dimension((first, across), (last, across), group))
        return zones, dimensions

    def _off_the_edge(self, corner: Point) -> Point:
        """A corner of a zone, a little inside of the table so that its line is seen."""
        along = min(max(corner[0], 0.4), self._frame.length - 0.4)
        return along, min(max(corner[1], 0.4), self._frame.breadth - 0.4)

    def _dimension(self, start: Point, end: Point, group: Group) -> Raw:
        return {
            "start": list(self._frame.on_map(start)),
            "end": list(self._frame.on_map(end)),
            "means": f"zone {self._letter_of(group)}",
        }

    def _arrows(self) -> list[Raw]:
        arrows = []
        drawn: set[tuple[str, bool]] = set()
        for side in (self._attacking, self._defending):
            for group in side.groups:
                is_far = self._edge_of(group) != self._frame.edge
                if group.entry == "zone" or (side.nation.id, is_far) in drawn:
                    continue
                drawn.add((side.nation.id, is_far))
                for across in self._arrow_places(group):
                    start, end = 0.8, 6.5
                    if is_far:
                        start, end = self._frame.length - 0.8, self._frame.length - 6.5
                    points = [self._frame.on_map((along, across)) for along in (start, end)]
                    arrows.append({
                        "side": side.nation.id,
                        "points": [list(point) for point in points],
                    })  # fmt: skip
        return arrows

    def _arrow_places(self, group: Group) -> list[float]:
        breadth = self._frame.breadth
        if group.entry == "road" and self._ground.main_road:
            return [self._ground.main_road[0][1]]
        if group.entry == "corners":
            return [4.0, breadth - 4.0]
        return [breadth * share for share in (0.27, 0.5, 0.73)]

    def _circle(self) -> Raw | None:
        goal = self._theme.victory
        if not goal.within_in or goal.kind == "exit":
            return None
        place = (self._frame.length / 2, self._frame.breadth / 2)
        if goal.around == "bridge":
            place = self._ground.far_bank
        return {"at": list(self._frame.on_map(place)), "radius": goal.within_in}


def _force_name(side: _Side, role: str) -> str:
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
