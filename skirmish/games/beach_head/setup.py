"""How a game begins: the beach, the readings, and where dice and cards come from."""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.games.beach_head.manual import DefenceId, Manual, TankId
from skirmish.games.beach_head.readings import Readings
from skirmish.tabletop.chance import Source

Variant = Literal["normandy", "omaha"]
VARIANTS: tuple[Variant, ...] = ("normandy", "omaha")


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a game goes by; it never looks at the data files again.

    ``rulings`` answers all of them. ``dice`` and ``cards`` are the program's (seeded) or the
    player's own; without ``cards`` the game is played without a hand. In games of ``version`` 1 a
    value set on one of several dice took away a plus or minus that lay on it, and own dice always
    waited for a second key.
    """

    manual: Manual
    rulings: dict[str, str]
    variant: Variant = "normandy"
    dice: Source
    cards: Source | None = None
    reading: str = "printed"
    player: str = ""
    revision: str = ""
    version: int = 1  # where a journal names none

    @property
    def title(self) -> str:
        """As lists show it."""
        return "Beach Head, Omaha" if self.variant == "omaha" else "Beach Head"

    @property
    def left_out(self) -> tuple[DefenceId, ...]:
        """Defences that this variant does without."""
        return self.manual.omaha.without if self.variant == "omaha" else ()

    def points(self) -> dict[DefenceId, int]:
        """The defences at the start."""
        out = self.left_out
        return {one.id: 0 if one.id in out else one.points for one in self.manual.defence}

    def landed_as(self, kind: TankId) -> TankId | None:
        """What a tank of ``kind`` is when it lands (B27); None where it does not."""
        if self.variant != "omaha" or kind in self.manual.omaha.lands:
            return kind
        return self.manual.omaha.lands[0] if self.rulings["B27"] == "all_gun" else None


def prepared(
    manual: Manual,
    book: Readings,
    *,
    rulings: dict[str, str] | None = None,
    variant: Variant = "normandy",
    dice: Source,
    cards: Source | None = None,
    player: str = "",
    revision: str = "",
) -> Setup:
    """A game ready to be opened. Raises ValueError (a sentence) for rulings that do not exist."""
    answers = book.answered(rulings or {})
    return Setup(
        manual=manual,
        rulings=answers,
        variant=variant,
        dice=dice,
        cards=cards,
        reading=book.named(answers),
        player=player,
        revision=revision,
        version=2,
    )
