"""The shots of a battle, each with the chance that it had before its draw, and what came of it.

Void shots are left out, though their cards are gone; a shot judged again is there once, with its
last verdict."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import msgspec

from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.journal_facts import JournalFacts, JudgedShot
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.rules.shot import Circumstances


class FiredShot(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    # As programs read it of ``skirmish battle luck``.
    rename={
        "circumstances": "at",
        "draws": "of",
        "save_chance": "save",
        "breakdown_chance": "breaks",
    },
):
    """A shot with its chance before the draw, and what came of it."""

    entry: int
    """The number of the entry in which it was fired."""
    turn: int
    side: str
    piece: str
    unit: str
    """The unit of the piece when it fired."""
    weapon: str
    target: str
    """The unit of the row that it was aimed at."""
    circumstances: tuple[str, ...]
    """In words: ``in cover``, ``from behind``."""
    hits: int
    """How many of the possible ``draws`` hit."""
    saves: int
    """How many more of them would hit, but for cover or hull down."""
    draws: int
    chance: Fraction
    """The chance of a hit."""
    save_chance: Fraction
    """The chance that cover or hull down saves the target from a hit."""
    breakdown_chance: Fraction
    """The chance of a breakdown."""
    hit: bool
    saved: bool
    broke: bool
    counted: bool
    """Whether it is one of a volley of which only the numbers of hits and breakdowns are known.
    They are put down to some of its shots, whichever they were."""
    note: str | None
    """Why the chance is not based on the deck at that time; None if it is."""

    @property
    def luck(self) -> Fraction:
        """Kills made minus kills expected: the chance of a miss for a hit, minus the chance of a
        hit for a miss."""
        kills = 0
        if self.hit:
            kills = 1
        return kills - self.chance


def fired_shots(play: BattlePlay, knowledge: Knowledge = "full") -> tuple[FiredShot, ...]:
    """All valid shots with their chances, in the order in which they were fired."""
    shots = []
    for judged_shot in JournalFacts(play).shots:
        # A file from elsewhere may name a weapon or a unit that does not exist. Such a shot has no
        # chance, and is left out.
        with suppress(ValueError, LookupError):
            shots.append(_with_chance(judged_shot, knowledge))
    return tuple(shots)


def _with_chance(judged_shot: JudgedShot, knowledge: Knowledge) -> FiredShot:
    """A shot with the chance that it had before its card was drawn; by ``knowledge`` of the deck
    that the players had."""
    verdict, state = judged_shot.judged, judged_shot.state_before
    shot = verdict.shot
    drawn_from = pack_of(state, judged_shot.side, knowledge)
    odds = one_shot(aim_of(state, shot), drawn_from.pack)
    saves = odds.by_cover + odds.by_hull_down
    return FiredShot(
        entry=judged_shot.entry_number,
        turn=state.clock.turn,
        side=judged_shot.side,
        piece=shot.piece,
        unit=state.unit_of(shot.piece),
        weapon=shot.weapon,
        target=row_unit(shot.target),
        circumstances=_circumstances(shot.at, saves),
        hits=odds.hits,
        saves=saves,
        draws=odds.draws,
        chance=odds.hit,
        save_chance=Fraction(saves, odds.draws),
        breakdown_chance=odds.broken,
        hit=verdict.hit,
        saved=verdict.saved_by is not None,
        broke=judged_shot.broke,
        counted=judged_shot.counted,
        note=drawn_from.note or None,
    )


def _circumstances(circumstances: Circumstances, saves: int) -> tuple[str, ...]:
    """The circumstances in words; cover and hull down only if any draw would be saved by them."""
    words = []
    if circumstances.cover and saves:
        words.append("in cover")
    if circumstances.hull_down and saves:
        words.append("hull down")
    if circumstances.rear:
        words.append("from behind")
    return tuple(words)
