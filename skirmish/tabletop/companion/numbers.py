"""The random numbers of a game at the table: from a die, from cards, or typed in."""

from __future__ import annotations

from collections.abc import Iterable

from skirmish.tabletop.companion.cup import UNKNOWN, Cup
from skirmish.tabletop.companion.events import CupRefilled, Drawn, Rolled
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.refusal import nonsense


class Numbers:
    """The next random numbers, and the ``events`` of drawing them. They come from the die of the
    state, from a deck of cards with numbers, or from the owner, who has typed them in.

    A card is a chit of two words, its kind and its number. If nobody has typed in the number of a
    card (UNKNOWN), the die is rolled instead.
    """

    def __init__(
        self,
        state: TableState,
        deck: str = "",
        own: Iterable[int] = (),
        sides: int = 6,
        low: int = 1,
    ) -> None:
        """``deck``: the id of the cup of cards; ``own``: the owner's numbers, which are used first,
        and are the only ones if he rolls the die himself; ``sides``: how many numbers the die has,
        from ``low`` on."""
        self._dice = state.dice
        self._cup = state.cups.get(deck)
        self._own = list(own)
        self._sides = sides
        self._low = low
        self.events: list[CupRefilled | Drawn | Rolled] = []

    def number(self, *, cards: bool = False) -> int:
        """The next number: of a card of the deck if ``cards`` is true, else of the die. Raises
        Refused if the owner has not typed it in."""
        # A number that the owner gives counts also where the program could roll.
        if self._own or self._dice.typed:
            return self._next_of_own()
        if cards and self._cup is not None:
            number_on_card = _number_on(self.next_card())
            if number_on_card != UNKNOWN:
                return int(number_on_card)
        return self._roll()

    def _roll(self) -> int:
        """The next number of the program's die."""
        face = self._dice.peek((), self._sides)
        self._dice = self._dice.drawn(face)
        # The ranks of faces begin with 1, the numbers of the die with ``low``.
        number = self._low + face.rank - 1
        self.events.append(Rolled(purpose="", faces=(number,)))
        return number

    def _next_of_own(self) -> int:
        """The next number that the owner typed in. Raises Refused."""
        high = self._low + self._sides - 1
        if not self._own or not self._low <= self._own[0] <= high:
            text = f"Type the number of your card or die, from {self._low} to {high}."
            raise nonsense("no_number", text)
        return self._own.pop(0)

    def next_card(self) -> str:
        """The next card of the deck; if it is empty, the discards are shuffled first."""
        cup = self._cup
        assert cup is not None  # only games with a deck draw cards
        if not cup.inside:
            cup = cup.refill()
            self.events.append(CupRefilled(cup=cup.id))
        chit = cup.peek()
        self._cup = cup.draw(chit)
        self.events.append(Drawn(cup=cup.id, chit=chit, silent=True))
        return chit


def _number_on(chit: str) -> str:
    """The number of a card, behind the word for its kind, or UNKNOWN."""
    return chit.rpartition(" ")[2]


def roll_weights(cup: Cup | None, sides: int = 6) -> dict[int, int]:
    """The numbers that the next card may have, each with its weight; without a deck those of a die
    from 1 on, all alike."""
    rolls = range(1, sides + 1)
    if cup is None:
        return dict.fromkeys(rolls, 1)
    if not cup.inside:
        cup = cup.refill()  # an empty deck is shuffled before the next card
    numbers = [_number_on(chit) for chit in cup.unseen]
    # A card weighs as much as the die has sides. If its number is unknown, the die is rolled in its
    # place, so that one part of its weight goes to each side.
    weight_of_unknown = numbers.count(UNKNOWN)
    weights = {}
    for roll in rolls:
        weight_of_known = sides * numbers.count(str(roll))
        weights[roll] = weight_of_known + weight_of_unknown
    return weights
