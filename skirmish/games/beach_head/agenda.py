"""What is still to be done in a phase, the dice that lie on the table, and what only the player can
say; all of it stands in the state as data."""

from __future__ import annotations

import msgspec

from skirmish.games.beach_head.ruleset import DefenceId, TankId
from skirmish.tabletop.chance import Draw


class Task(msgspec.Struct, frozen=True, kw_only=True, tag_field="task"):
    """Something to be done; the first of the agenda comes next."""


class Take(Task, frozen=True, kw_only=True, tag="take"):
    step: int


class Throw(Task, frozen=True, kw_only=True, tag="throw"):
    """The step's dice. ``target``: what a removal goes for; None where nothing is aimed at, or it
    is named later (B40)."""

    step: int
    target: DefenceId | None = None


class Outcome(Task, frozen=True, kw_only=True, tag="outcome"):
    """What row ``row`` of the step's table brings: dice for killed or points, a tank, a craft."""

    step: int
    row: int
    target: DefenceId | None = None


class Spend(Task, frozen=True, kw_only=True, tag="spend"):
    step: int
    points: int


class Kind(Task, frozen=True, kw_only=True, tag="kind"):
    """The die for the kind of tank number ``number`` (from 1) of ``among`` that are landing."""

    step: int
    number: int
    among: int


class Crater(Task, frozen=True, kw_only=True, tag="crater"):
    step: int
    target: DefenceId


class LoseTank(Task, frozen=True, kw_only=True, tag="lose_tank"):
    no_flail: bool


class Fill(Task, frozen=True, kw_only=True, tag="fill"):
    """Draw ``count`` cards; None: until the hand is full."""

    count: int | None = None


class Exchange(Task, frozen=True, kw_only=True, tag="exchange"):
    """Cards may be exchanged, once. ``done``: they were, and one of the new ones may be a General
    (B25)."""

    done: bool = False


class Trim(Task, frozen=True, kw_only=True, tag="trim"):
    """The hand is cut down to what may be kept."""


AnyTask = Take | Throw | Outcome | Spend | Kind | Crater | LoseTank | Fill | Exchange | Trim


class Modifier(msgspec.Struct, frozen=True):
    """One reason why a roll counts for more or less; its code says which."""

    code: str
    value: int


class Played(msgspec.Struct, frozen=True):
    """A card on a roll: on which of its dice (from 0), and the faces it brought, if it did."""

    card: Draw
    die: int = 0
    faces: tuple[int, ...] = ()


class Roll(msgspec.Struct, frozen=True, kw_only=True):
    """Dice on the table that do not count yet: cards may still change them.

    ``faces`` as they were rolled; none where cards go first (B19). ``plus`` is what is printed
    with the dice, ``modifiers`` what the beach adds.
    """

    task: AnyTask
    dice: int
    plus: int = 0
    modifiers: tuple[Modifier, ...] = ()
    faces: tuple[int, ...] = ()
    cards: tuple[Played, ...] = ()


class Counted(msgspec.Struct, frozen=True):
    """A roll as it counts: the dice with cards on them, what cards add, and the total. ``fixed`` if
    a card set one of them, and neither what is printed nor what the beach adds counts (B21)."""

    faces: tuple[int, ...]
    shift: int
    total: int
    fixed: bool = False


class Ask(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask"):
    """What only the player can say."""


class DiceAsk(Ask, frozen=True, kw_only=True, tag="dice"):
    """``count`` of the player's own dice; for the roll on the table, or for a card on it."""

    count: int
    card: Played | None = None


class LotAsk(Ask, frozen=True, kw_only=True, tag="lot"):
    sides: int
    tanks: tuple[TankId, ...]


class TargetAsk(Ask, frozen=True, kw_only=True, tag="target"):
    """Which defence. ``may_decline`` by B35. ``points`` are known where the die came first."""

    targets: tuple[DefenceId, ...]
    may_decline: bool = False
    points: int | None = None


class TankAsk(Ask, frozen=True, kw_only=True, tag="tank"):
    kinds: tuple[TankId, ...]


class CardsAsk(Ask, frozen=True, kw_only=True, tag="cards"):
    count: int


class ExchangeAsk(Ask, frozen=True, kw_only=True, tag="exchange"):
    """Up to ``most`` cards may be exchanged; going on exchanges none. 0: they have been, and only
    a General may still be played."""

    most: int


class TrimAsk(Ask, frozen=True, kw_only=True, tag="trim"):
    count: int


AnyAsk = DiceAsk | LotAsk | TargetAsk | TankAsk | CardsAsk | ExchangeAsk | TrimAsk
