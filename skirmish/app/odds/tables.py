"""Which tables the screen has: of a fresh deck, or of what the sides of a battle draw from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from skirmish import library
from skirmish.app.reference.in_force import InForce
from skirmish.app.session import Session
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.odds import Knowledge, pack_of
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import OddsTable, drawn_from, odds_table
from skirmish.tabletop.game import PLAYERS


class SideFire(NamedTuple):
    """What one side fires with: out of cards, and with the die. ``rolls``: it uses the die.
    ``who`` fires, where that is a side of a battle; ``note`` is to be said of its cards."""

    cards: OddsTable
    die: OddsTable
    rolls: bool = False
    who: str = ""
    note: str = ""

    def drawn(self, die: bool) -> str:
        table = self.die if die else self.cards
        found = drawn_from(table.pack)
        return found if die or self.note in ("", found) else f"{found}, {self.note}"


def usual(in_force: InForce) -> SideFire:
    catalog, rulings = library.catalog(), library.rulings().answered(in_force.answers)
    return SideFire(
        odds_table(catalog, rulings, packs.fresh(rulings)),
        odds_table(catalog, rulings, packs.die()),
    )


def of_battle(state: State, knowledge: Knowledge) -> list[SideFire]:
    first = state.firing_side
    sides = sorted(state.setup.sides, key=lambda side: side.id != first)
    return [_of_side(state, side.id, knowledge) for side in sides]


def _of_side(state: State, side: str, knowledge: Knowledge) -> SideFire:
    setup, known = state.setup, pack_of(state, side, knowledge)
    rolls = known.pack.die
    ours, theirs = ([row.unit for row in rows(state, one)] for one in _both(state, side))
    cards = packs.fresh(setup.rulings) if rolls else known.pack
    tables = [
        odds_table(setup.catalog, setup.rulings, pack, ours, theirs)
        for pack in (cards, packs.die())
    ]
    return SideFire(tables[0], tables[1], rolls, setup.side_by_id[side].people, known.note)


def _both(state: State, side: str) -> Iterable[str]:
    return side, state.setup.enemy_of(side).id


def fires_here(
    screens: Iterable[object], in_force: InForce, knowledge: Knowledge
) -> tuple[list[SideFire], str | None]:
    """The tables for whatever is open: those of the topmost battle at whose keyboard the players
    sit, with the revision of its numbers; else the usual one."""
    for screen in reversed(list(screens)):
        session = getattr(screen, "session", None)
        plays = getattr(screen, "viewer", PLAYERS) == PLAYERS
        if plays and isinstance(session, Session) and session.game.id == GAME:
            return of_battle(session.state, knowledge), session.state.setup.revision
    return [usual(in_force)], None
