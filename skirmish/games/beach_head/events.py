"""What happened. Every die and card stands in its event, so a journal is folded without chance.

Events that leave something to be done carry the agenda that follows (``then``): a rule mended
later cannot change how an old game folds.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.games.beach_head.agenda import AnyAsk, AnyTask, Modifier, Played, Roll
from skirmish.games.beach_head.manual import DefenceId, PhaseId, TankId
from skirmish.games.beach_head.setup import Setup
from skirmish.tabletop.chance import Draw

PassCode = Literal["way_barred", "no_target", "no_tank", "declined", "nothing", "craters"]
SkipCode = Literal[
    "no_tank", "no_defence", "too_early", "nobody", "nothing_left", "no_cards", "not_here"
]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that has happened."""


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The game begins."""

    setup: Setup


class Begun(Event, frozen=True, kw_only=True, tag="begun"):
    """A phase begins, or is played once more (``again``: an Admiral)."""

    turn: int
    phase: PhaseId
    again: bool = False
    then: tuple[AnyTask, ...] = ()


class Skipped(Event, frozen=True, kw_only=True, tag="skipped"):
    """A phase, and why nothing happens in it."""

    turn: int
    phase: PhaseId
    why: SkipCode


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """Something on the agenda came to nothing: no target stands, no tank is there."""

    why: PassCode
    about: str = ""
    then: tuple[AnyTask, ...] = ()


class Aimed(Event, frozen=True, kw_only=True, tag="aimed"):
    """What comes next is known."""

    then: tuple[AnyTask, ...] = ()


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """Only the player can say how it goes on."""

    ask: AnyAsk


class Rolled(Event, frozen=True, kw_only=True, tag="rolled"):
    """Dice lie on the table, or are about to (without faces)."""

    roll: Roll
    own: bool = False


class Shown(Event, frozen=True, kw_only=True, tag="shown"):
    """The dice of a roll that was announced."""

    faces: tuple[int, ...]
    own: bool = False


class CardPlayed(Event, frozen=True, kw_only=True, tag="card_played"):
    """A card out of the hand onto the roll."""

    played: Played
    own: bool = False


class Repeats(Event, frozen=True, kw_only=True, tag="repeats"):
    """An Admiral: the phase will be played once more."""

    card: Draw


class DrawsMore(Event, frozen=True, kw_only=True, tag="draws_more"):
    """A General."""

    card: Draw
    then: tuple[AnyTask, ...]


class Settled(Event, frozen=True, kw_only=True, tag="settled"):
    """The roll on the table counts, for ``total``."""

    total: int
    modifiers: tuple[Modifier, ...] = ()
    then: tuple[AnyTask, ...] = ()


class Removed(Event, frozen=True, kw_only=True, tag="removed"):
    """Points off a defence; ``rolled`` is what the dice allowed."""

    target: DefenceId
    points: int
    rolled: int


class Dug(Event, frozen=True, kw_only=True, tag="dug"):
    """Craters: points added."""

    target: DefenceId
    points: int


class SquadsLanded(Event, frozen=True, kw_only=True, tag="squads_landed"):
    """Infantry is ashore."""

    squads: int


class TankLanded(Event, frozen=True, kw_only=True, tag="tank_landed"):
    """A tank is ashore; None: it was of a kind that does not land here."""

    kind: TankId | None


class Killed(Event, frozen=True, kw_only=True, tag="killed"):
    """Squads lost, and what counts for the score (B2)."""

    squads: int
    scored: int


class TankLost(Event, frozen=True, kw_only=True, tag="tank_lost"):
    """A tank. ``lot``: the number that chance gave it, from 1, where there was more than one."""

    kind: TankId
    lot: int | None = None
    own: bool = False
    then: tuple[AnyTask, ...] = ()


class CraftHit(Event, frozen=True, kw_only=True, tag="craft_hit"):
    """A landing craft: felt next turn."""


class Drew(Event, frozen=True, kw_only=True, tag="drew"):
    """A card into the hand."""

    card: Draw


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    """The discard pile is the deck again."""


class Filled(Event, frozen=True, kw_only=True, tag="filled"):
    """No more cards are to be drawn for now."""

    then: tuple[AnyTask, ...] = ()


class Discarded(Event, frozen=True, kw_only=True, tag="discarded"):
    """Cards out of the hand."""

    cards: tuple[Draw, ...]
    then: tuple[AnyTask, ...] = ()


class Won(Event, frozen=True, kw_only=True, tag="won"):
    """Bunkers and trenches are gone."""


AnyEvent = (
    Opened | Begun | Skipped | Passed | Aimed | Asked | Rolled | Shown | CardPlayed | Repeats
    | DrawsMore | Settled | Removed | Dug | SquadsLanded | TankLanded | Killed | TankLost
    | CraftHit | Drew | Shuffled | Filled | Discarded | Won
)  # fmt: skip
