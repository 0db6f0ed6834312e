"""Writes a battle that was chosen as the data of a scenario, as they stand in a file
(docs/scenario-format.md)."""

from __future__ import annotations

from skirmish.games.plastic.dealing.choosing import ChosenBattle
from skirmish.games.plastic.dealing.forces import DealtSide
from skirmish.games.plastic.dealing.happenings import HappeningWriter
from skirmish.games.plastic.dealing.map_writing import MapWriter
from skirmish.games.plastic.dealing.starting_places import StartingPlaces
from skirmish.games.plastic.dealing.table import Raw
from skirmish.games.plastic.dealing.victory_terms import VictoryWriter
from skirmish.games.plastic.rules.army import in_order
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.page import capital

RULINGS = ["P58", "P59", "P60", "P76"]
"""The rulings that players of any dealt battle should know: on the break point and the optional
rules of scenarios, on the size of works, and on how units enter the table."""


class ScenarioWriter:
    """Writes one battle."""

    def __init__(self, battle: ChosenBattle, catalog: Catalog) -> None:
        self._battle = battle
        self._catalog = catalog
        self._theme = battle.theme
        self._forces = battle.forces
        self._attacking = battle.forces.attacking
        self._defending = battle.forces.defending
        self._attacker = self._attacking.nation.id
        self._defender = self._defending.nation.id
        self._places = StartingPlaces(battle)

    def scenario(self) -> Raw:
        """The data of the scenario, without number and id."""
        frame = self._battle.table.frame
        happening_writer = HappeningWriter(self._battle, self._catalog)
        rules = happening_writer.special_rules()
        rules.append({"name": "Balance", "text": self.balance()})
        raw: Raw = {
            "format": 1,
            "title": self._filled_in(self._battle.title),
            "tagline": self._theme.tagline,
            "date": self._battle.wishes.month,
            "place": f"An invented place in {_in_a_sentence(self._battle.region.name)}",
            "table": {
                "width_in": frame.width,
                "depth_in": frame.depth,
                "up": "N",
            },
            "sets_up_first": self._sets_up_first,
            "moves_first": self._attacker,
            "ends_after": {"side": self._defender, "turn": self._battle.last_turn},
            "rulings": RULINGS,
            "situation": self._filled_in(self._battle.situation),
            "history": "This battle was dealt by the program. It never took place, and its places "
            "are invented.",
            "sources": [f"Dealt by Skirmish, theme {self._theme.name}"],
            "side": [
                self._side(self._defending, self._role_of_defenders),
                self._side(self._attacking, self._role_of_attackers),
            ],
            "victory": VictoryWriter(self._battle, self._catalog).terms(),
            "rule": rules,
        }
        happenings = happening_writer.happenings()
        if happenings:
            raw["happening"] = happenings
        map_writer = MapWriter(self._battle, self._places, happening_writer.is_mined)
        raw["map"] = map_writer.map_data()
        return raw

    def balance(self) -> str:
        """How the forces were balanced, in sentences that promise nothing. Of works only those of
        the defenders are named."""
        works = 0
        for works_of_group in self._defending.works_by_group:
            works += works_of_group.total()
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
            task = "a relief"  # the other attackers come to the aid of those in the place
        return (
            f"{sentence}. By the ten scenarios and the odds, {task} of this kind comes out "
            f"about even at {self._forces.odds:.1f} times the points. That is an estimate."
        )

    @property
    def _is_held_by_attackers(self) -> bool:
        """Whether a part of the attackers holds the place when play begins and waits there for the
        others, its relief, while the enemies come for it."""
        attackers_wait = any(group.entry == "zone" for group in self._theme.attackers)
        defenders_wait = any(group.entry == "zone" for group in self._theme.defenders)
        return attackers_wait and not defenders_wait

    @property
    def _sets_up_first(self) -> str:
        """The side that sets up first: the one that waits for the other."""
        if self._is_held_by_attackers:
            return self._attacker
        return self._defender

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

    def _filled_in(self, text: str) -> str:
        """A sentence of the theme with the names of places and peoples."""
        words = {
            **self._battle.names.words(),
            "attackers": self._attacking.people,
            "defenders": self._defending.people,
        }
        return capital(text.format_map(words))

    def _side(self, side: DealtSide, role: str) -> Raw:
        """A side with its contingents; a group that got neither figures nor works is none."""
        contingents = []
        for group, units_of_group, works_of_group in zip(
            side.groups, side.units_by_group, side.works_by_group, strict=True
        ):
            units = in_order(units_of_group, self._catalog)
            works = in_order(works_of_group, self._catalog)
            if not units and not works:
                continue
            contingent: Raw = {
                "id": group.id,
                "name": group.name,
                "entry": self._places.entry(group),
                "deploy": self._places.deployment(group),
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


def _force_name(side: DealtSide, role: str) -> str:
    """What a side is called behind its nation, by its first group: ``rear guard``. Sides that meet
    on the road are columns."""
    if role == "meeting":
        return "column"
    return _small(side.groups[0].name)


def _in_a_sentence(name: str) -> str:
    """The name of a region within a sentence: ``the Ardennes`` for ``The Ardennes``."""
    if name.startswith("The "):
        return _small(name)
    return name


def _small(text: str) -> str:
    """The text with a small first letter."""
    return text[:1].lower() + text[1:]
