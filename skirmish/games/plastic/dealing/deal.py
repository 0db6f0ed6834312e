"""Deals a battle: ``choosing`` chooses it by the seed, ``writing`` makes a scenario of it."""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.dealing.choosing import choose_battle
from skirmish.games.plastic.dealing.table import Raw
from skirmish.games.plastic.dealing.wishes import Books, Wishes
from skirmish.games.plastic.dealing.writing import ScenarioWriter


class Dealt(msgspec.Struct, frozen=True):
    """A dealt battle."""

    raw: Raw
    """The data of its scenario, as in a file, without number and id."""
    balance: str
    """How it was balanced, in sentences."""
    attack_points: int
    """What the attackers have spent."""
    defence_points: int
    """What the defenders have spent."""
    odds: float
    """How many times the defender's points the attacker was to have."""


def deal(wishes: Wishes, seed: int, books: Books) -> Dealt:
    """The battle of these wishes and this seed, the same on every machine. Raises
    NoSuchBattleError."""
    battle = choose_battle(wishes, seed, books)
    writer = ScenarioWriter(battle, books.catalog)
    forces = battle.forces
    return Dealt(
        raw=writer.scenario(),
        balance=writer.balance(),
        attack_points=forces.attack_points,
        defence_points=forces.defence_points,
        odds=forces.odds,
    )


def as_scenario(dealt: Dealt, number: int, id: str, code: str) -> Raw:
    """The data of a dealt battle as a file among the player's own scenarios has it, with the
    ``code`` that deals it again."""
    # People read a file from the top, so these keys come first.
    head = {"format": 1, "number": number, "id": id, "title": dealt.raw["title"], "deal": code}
    return {**head, **dealt.raw}
