"""The shots and blows of the field: each is judged by the rules, with a card of one deck."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from skirmish.games.plastic.commander.field.forces import FieldGroup
from skirmish.games.plastic.rules.catalog import DECK, Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.checks import is_pinned
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge, why_not
from skirmish.tabletop.chance import Draw


class FieldShots:
    """Judges shots with the cards of a deck that both sides share. ``pinning``: whether machine
    guns pin."""

    def __init__(
        self, catalog: Catalog, rulings: Mapping[str, str], chance: Random, *, pinning: bool
    ) -> None:
        self.catalog = catalog
        self.rulings = rulings
        self.pinning = pinning
        self._chance = chance
        self._deck: list[Draw] = []

    def shoot(
        self, shooter: UnitType, weapon: Weapon, target: FieldGroup, circumstances: Circumstances
    ) -> bool:
        """Fire one shot, or strike one blow, with its repeat fire; False if the rules forbid it."""
        aimed_at = self.catalog.units[self._cheapest(target)]
        shot = Shot(shooter=shooter, weapon=weapon, target=aimed_at, circumstances=circumstances)
        if why_not(shot, self.catalog, self.rulings) is not None:
            return False
        aimed = aim(shot, self.catalog, self.rulings)
        # Repeat fire goes on at men who were not a target yet. Models keep apart: it finds no
        # second one within its six inches.
        possible_targets = 1
        if aimed_at.is_guy:
            possible_targets = target.counts.total()
        while target.alive and possible_targets > 0:
            draw = self.draw_card()
            verdict = judge(aimed, draw)
            if verdict.breakdown == "pending":
                # A second card decides whether the weapon breaks down.
                verdict = judge(aimed, draw, self.draw_card())
            if not verdict.hit:
                break
            self._kill_one(target, exact=verdict.exact_figure)
            if verdict.repeat is None:
                break
            possible_targets -= verdict.repeat.uses_up(exact=verdict.exact_figure)
        return True

    def draw_for_pin(self, weapon: Weapon, target: FieldGroup) -> bool:
        """Draw a card for whether a weapon that has just fired pins those who are left of its
        target; True if it does. Models are never pinned, and no card is drawn for them."""
        on_foot = any(self.catalog.units[id].is_guy for id in target.alive_counts)
        if not (self.pinning and weapon.pins and on_foot):
            return False
        # Force quality is not played on the field: all men are alike (None).
        return is_pinned(None, self.draw_card(), self.catalog, self.rulings)

    def draw_card(self) -> Draw:
        """The next card of the deck, which is shuffled anew when it is empty."""
        if not self._deck:
            self._deck = list(DECK)
            self._chance.shuffle(self._deck)
        return self._deck.pop()

    def _kill_one(self, target: FieldGroup, *, exact: bool) -> None:
        """One of the target falls: the cheapest, as its player chooses. By an ``exact`` hit it is
        the man who was aimed at; since groups know no single men, any of them."""
        victim = self._cheapest(target)
        if exact and self.catalog.units[victim].is_guy:
            victim = self._chance.choice(list(target.alive_counts.elements()))
        target.lose(victim)

    def _cheapest(self, target: FieldGroup) -> str:
        """The id of the cheapest unit of a target; men before models."""
        candidates = list(target.alive_counts)
        men = [id for id in candidates if self.catalog.units[id].is_guy]
        if men:
            candidates = men
        return min(candidates, key=lambda id: self.catalog.units[id].price)
