"""A cup of chits or a deck of cards: drawn at random, face down or open, refilled.

Which chit lies face down outside the cup is decided only when it is turned over: until then every
unseen chit is equally likely. So not even the journal knows a hidden one, and the chances are those
of the real cup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.chance import Source

NOTHING_LEFT = "Nothing is left in the cup."
UNKNOWN = "?"
"""A chit, or the number of a card, that nobody has typed in."""


class EmptyCup(ValueError):  # noqa: N818  (a sentence)
    """Nothing is left to draw."""


class Cup(msgspec.Struct, frozen=True, kw_only=True):
    """A cup of chits, or a deck of cards. A chit is a text: equal texts are chits of one kind."""

    id: str
    unseen: tuple[str, ...] = ()
    """All chits that nobody has seen, in the cup or face down outside of it."""
    face_down: int = 0
    """How many of the unseen ones lie outside. Which of them they are is not decided yet."""
    drawn: tuple[str, ...] = ()
    """Those that lie in the open, in the order of drawing."""
    aside: tuple[str, ...] = ()
    """Those that a player chose to set aside, which cannot be drawn."""
    seed: int | None = None
    """The seed by which the program draws; None: the owner draws from a cup of his own and types
    the result."""
    draws: int = 0
    """How many draws the program has made."""

    @property
    def inside(self) -> int:
        """How many chits are in the cup."""
        return len(self.unseen) - self.face_down

    @property
    def typed(self) -> bool:
        """Whether the owner draws for himself and types the result."""
        return self.seed is None

    def chances(self) -> dict[str, Fraction]:
        """The chance of every kind of chit: to be drawn next, and to be the one that lies face
        down."""
        number_of_unseen = len(self.unseen)
        chances = {}
        for chit, count in Counter(self.unseen).items():
            chances[chit] = Fraction(count, number_of_unseen)
        return chances

    def peek(self) -> str:
        """The next chit that the program draws, or turns over. Raises EmptyCup; ValueError for an
        owner's own cup."""
        if self.seed is None:
            raise ValueError("an owner's own cup cannot be known before he draws")
        if not self.unseen:
            raise EmptyCup(NOTHING_LEFT)
        # Face-down chits are among the unseen: which of them lies outside is not decided yet.
        die = Source("die", self.seed, rolls=self.draws)
        number = die.peek((), len(self.unseen)).rank  # from 1
        return self.unseen[number - 1]

    # Each of the following methods returns the changed cup. It raises EmptyCup if the cup has too
    # few chits, and LookupError if this chit is not where it should be.

    def draw(self, chit: str) -> Cup:
        """A chit from the cup into the open."""
        if not self.inside:
            raise EmptyCup(NOTHING_LEFT)
        return self._seen(chit)

    def draw_unseen(self, count: int = 1) -> Cup:
        """So many from the cup to the table, face down."""
        if count > self.inside:
            raise EmptyCup(f"The cup holds {self.inside}, not {count}.")
        return replace(self, face_down=self.face_down + count)

    def reveal(self, chit: str) -> Cup:
        """A chit that lay face down is turned over, and is this one."""
        if not self.face_down:
            raise EmptyCup("Nothing lies face down.")
        return replace(self._seen(chit), face_down=self.face_down - 1)

    def put(self, chits: Iterable[str]) -> Cup:
        """New chits into the cup."""
        return replace(self, unseen=tuple(sorted((*self.unseen, *chits))))

    def put_back(self, chit: str) -> Cup:
        """A chit from the open back into the cup."""
        return replace(self, drawn=_without(self.drawn, chit)).put([chit])

    def hold_back(self, chit: str) -> Cup:
        """A chit from the cup to those set aside."""
        after = replace(self, unseen=_without(self.unseen, chit))
        return replace(after, aside=(*self.aside, chit))

    def release(self, chit: str) -> Cup:
        """A chit from those set aside into the cup."""
        return replace(self, aside=_without(self.aside, chit)).put([chit])

    def remove(self, chit: str) -> Cup:
        """A chit from the open out of the game, or to where the caller puts it."""
        return replace(self, drawn=_without(self.drawn, chit))

    def refill(self) -> Cup:
        """All that lies in the open back into the cup."""
        return replace(self.put(self.drawn), drawn=())

    def holding(self, names: Iterable[str], size: int) -> Cup:
        """The cup of a game with ``size`` chits in all, of which these ``names`` are known; the
        others are ``UNKNOWN``. What was drawn or set aside is taken out: by its name, or if that is
        not among the known ones, as one of the unknown."""
        chits = list(names)
        while len(chits) < size:
            chits.append(UNKNOWN)
        for chit in (*self.drawn, *self.aside):
            if chit in chits:
                chits.remove(chit)
            elif UNKNOWN in chits:
                chits.remove(UNKNOWN)
        return replace(self, unseen=tuple(sorted(chits)))

    def veiled(self, hidden: str) -> Cup:
        """The cup for viewers who may not know what is set aside: each of these chits is called
        ``hidden``."""
        return replace(self, aside=tuple(hidden for _ in self.aside))

    def _seen(self, chit: str) -> Cup:
        """The cup after a chit that nobody had seen came into the open."""
        draws = self.draws
        if not self.typed:
            draws += 1  # the next draw takes the next number of the seed
        unseen = _without(self.unseen, chit)
        return replace(self, unseen=unseen, drawn=(*self.drawn, chit), draws=draws)


def _without(chits: tuple[str, ...], chit: str) -> tuple[str, ...]:
    """The chits without one chit of this kind. Raises LookupError."""
    if chit not in chits:
        raise LookupError(f"{chit} is not among them")
    index = chits.index(chit)
    return chits[:index] + chits[index + 1 :]
