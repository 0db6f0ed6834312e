"""Chooses the names of the places on a dealt table."""

from __future__ import annotations

from random import Random

from skirmish.games.plastic.dealing.regions import Region


class PlaceNames:
    """The names of the places of one table, no two of them alike. They are chosen from those that
    the region has: ordinary names, and none of a place that is known for its battle."""

    def __init__(self, region: Region, chance: Random) -> None:
        self.village = chance.choice(region.villages)
        # A village is often called after its stream, but two names alike puzzle the players.
        waters = [water for water in region.waters if water not in self.village]
        self.water = chance.choice(waters)
        self.height = chance.choice(region.heights)
        towns = list(region.towns)
        chance.shuffle(towns)
        self.town_behind_attackers, self.town_ahead = towns[:2]

    def words(self) -> dict[str, str]:
        """The names by the words that stand for them in a theme's sentences."""
        return {
            "village": self.village,
            "water": self.water,
            "height": self.height,
            "town": self.town_ahead,
        }
