"""The course of an order of Bloody Omaha, with what may happen to units and tokens in it."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.bloody_omaha import ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.state import BloodyHappened, BloodyState, bag_of, value_of
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.unfolding import Unfolding

TOKEN_WORDS = {ruleset.EVENT: "a random event", ruleset.SNIPER: "a sniper", ruleset.STUG: "a StuG"}
"""What a token is called in sentences; the others by their value."""


class Run(Unfolding[BloodyState]):
    """The course of an order, with what happens to units and tokens. ``say`` is what changes the
    state: it records a sentence together with the counters and squares as they are after it."""

    happened = BloodyHappened

    def put(self, unit: Counter) -> None:
        """A unit has changed to what is given, without a sentence."""
        self.say("", unit)

    def move(self, unit: Counter, place: str) -> None:
        """A unit goes to that square or box, with its tanks."""
        together = (unit, *self.state.tanks(unit))
        moved = [replace(counter, place=place) for counter in together]
        self.say(f"{named(moved)}: to {place}.", *moved)

    def disrupt(self, unit: Counter, end_of_sentence: str = "", *, hits_again: bool = True) -> None:
        """A unit is disrupted. A unit that is disrupted already is eliminated if this
        ``hits_again``; otherwise nothing happens to it. ``end_of_sentence`` goes before the full
        stop of the sentence about it, with the sign or space that joins it: ``: nothing but …``,
        `` and stays …``."""
        if not unit.has(bloody.DISRUPTED):
            disrupted = unit.marked(bloody.DISRUPTED)
            text = f"{unit.name} is disrupted{end_of_sentence}."
            self.say(text, disrupted, effect="disrupted", about=unit.name)
        elif hits_again:
            self.eliminate(unit, end_of_sentence)
        elif end_of_sentence:
            # Without this end the sentence would tell the players nothing new.
            text = f"{unit.name} is disrupted already{end_of_sentence}."
            self.say(text, effect="disrupted already", about=unit.name)

    def eliminate(self, unit: Counter, end_of_sentence: str = "") -> None:
        """A unit leaves the game. Its tanks stay with another unit there; without one they are set
        aside (8.3). ``end_of_sentence``: as in ``disrupt``."""
        in_square = self.state.units(unit.place)
        heirs = [neighbour for neighbour in in_square if neighbour.id != unit.id]
        # Of several units the first gets them; the players may give them to another by hand.
        heir_id = place = ""
        fate = "set aside"
        if heirs:
            heir_id = heirs[0].id
            place = unit.place
            fate = f"to {heirs[0].name}"
        tanks = [replace(tank, group=heir_id, place=place) for tank in self.state.tanks(unit)]
        text = f"{unit.name} is eliminated{end_of_sentence}."
        if tanks:
            text += f" {named(tanks)}: {fate}."
        eliminated = replace(unit, steps=0, place="", flags=())
        self.say(text, eliminated, *tanks, effect="eliminated", about=unit.name)

    def lose_tank(self, tank: Counter) -> None:
        """A tank leaves the game, and its unit."""
        lost = replace(tank, steps=0, place="", group="")
        self.say(f"{lost.name} is lost.", lost, effect="lost", about=lost.name)

    def turn_up(self, square: str, bag: str, value: str) -> None:
        """A token of a square is turned face up: its value is drawn from its bag. Face down a token
        is written as its bag, ``strongpoint``, face up with its value, ``strongpoint 5``."""
        cup = self.state.cups[bag]
        # An owner may type a value that is not left in the bag as far as the program knows.
        if value in cup.unseen:
            self.do(events.Drawn(cup=bag, chit=value, own=cup.typed, silent=True))
        # The first one that lies face down: nobody can tell them apart.
        tokens = list(self.state.tokens(square))
        tokens[tokens.index(bag)] = f"{bag} {value}"
        text = f"The {bag} token on {square} is {TOKEN_WORDS.get(value, value)}."
        self.say(text, ground={square: tuple(tokens)}, result=value)

    def take_off(self, square: str, *tokens: str) -> None:
        """Tokens that lie face up leave the map, which brings points (2.3)."""
        left = list(self.state.tokens(square))
        for token in tokens:
            left.remove(token)
        values = [value_of(token) for token in tokens]
        names = [TOKEN_WORDS.get(value, value) for value in values]
        text = f"Removed from {square}: {' and '.join(names)}."
        effect = about = ""
        if not left:
            effect, about = "clear", f"square {square}"
            text += f" Square {square} is clear."
        # Points are counted by the bags of the tokens that are gone (``BloodyState.score``).
        bags = tuple(bag_of(token) for token in tokens)
        self.say(text, ground={square: tuple(left)}, gone=bags, effect=effect, about=about)
