"""The fire of each side of a battle, as tables of odds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from skirmish import library
from skirmish.app.reference.rulings import InForce
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import OddsTable, default_tables, odds_table
from skirmish.games.plastic.odds.table_page import drawn_from
from skirmish.session import AnySession, Session
from skirmish.tabletop.game import PLAYERS


class SideFire(NamedTuple):
    """The fire of one side: its odds with cards and with a die, of which it plays with one."""

    by_cards: OddsTable
    by_die: OddsTable
    plays_with_die: bool = False
    side_name: str = ""
    """Empty outside a battle."""
    cards_note: str = ""
    """A remark about its cards."""

    def table(self, *, die: bool) -> OddsTable:
        """Its odds with the die or else with cards."""
        if die:
            return self.by_die
        return self.by_cards

    def drawn_from(self, *, die: bool) -> str:
        """What is drawn from, with the remark about the cards unless that says the same."""
        pack = drawn_from(self.table(die=die).pack)
        if die or self.cards_note in ("", pack):
            return pack
        return f"{pack}, {self.cards_note}"


class FiresShown(NamedTuple):
    """The fire that the screen of odds shows, and the ``revision`` of the numbers that it is made
    with; None: the present ones."""

    fires: list[SideFire]
    revision: str | None


def fires_here(screens: Iterable[object], in_force: InForce, knowledge: Knowledge) -> FiresShown:
    """The fire of both sides in the topmost battle of ``screens``. Where no battle is open: that of
    any side, with full decks and the rulings ``in_force``. A battle that is only followed does not
    count, since what is left of its decks is for its players to know."""
    for screen in reversed(list(screens)):
        session = _session_of(screen)
        if session is not None and session.game.id == GAME:
            fires = fires_of_battle(session.state, knowledge)
            return FiresShown(fires, session.state.setup.revision)
    rulings = library.rulings().answered(in_force.answers)
    by_cards, by_die = default_tables(library.catalog(), rulings)
    return FiresShown([SideFire(by_cards, by_die)], None)


def _session_of(screen: object) -> AnySession | None:
    """The game that is played on a screen; None if none is, or if it is only followed there."""
    # Only the screens of games have a session, and a viewer. It is a side, or None for a spectator,
    # where a game is followed.
    session = getattr(screen, "session", None)
    is_played_here = getattr(screen, "viewer", PLAYERS) == PLAYERS
    if is_played_here and isinstance(session, Session):
        return session
    return None


def fires_of_battle(state: State, knowledge: Knowledge) -> list[SideFire]:
    """The fire of both sides, the one that fires first in front."""
    fires: list[SideFire] = []
    for side in state.setup.sides:
        fire = _fire_of(state, side, knowledge)
        if side.id == state.firing_side:
            fires.insert(0, fire)
        else:
            fires.append(fire)
    return fires


def _fire_of(state: State, side: Side, knowledge: Knowledge) -> SideFire:
    """The fire of a side at the other's units, with the cards that are left in its deck."""
    setup = state.setup
    known_pack = pack_of(state, side.id, knowledge)
    plays_with_die = known_pack.pack.die
    cards = known_pack.pack
    if plays_with_die:
        # The side has no deck: its table by cards is that of a full one.
        cards = packs.fresh(setup.rulings)
    its_units = [row.unit for row in rows(state, side.id)]
    enemy_units = [row.unit for row in rows(state, setup.enemy_of(side.id).id)]
    by_cards = odds_table(setup.catalog, setup.rulings, cards, its_units, enemy_units)
    by_die = odds_table(setup.catalog, setup.rulings, packs.of_die(), its_units, enemy_units)
    return SideFire(by_cards, by_die, plays_with_die, side.people, known_pack.note)
