"""A beach for tests: any phase with the beach as a test gives it, played in words.

Dice and cards are the player's own, so that a step types in what they show:
``roll 3 4 5``, ``lot 2``, ``aim walls``, ``decline``, ``lose gun``, ``play 6H on die 2``,
``draw AS 2S``, ``discard 7C``, ``go``. Dice on the table count before the next step that is no
card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from skirmish import library, registry
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.events import BeachEvent, BeachOpened, Settled, Skipped
from skirmish.games.beach_head.journal import BeachEntry, BeachPlay
from skirmish.games.beach_head.policies import GamePolicy
from skirmish.games.beach_head.ruleset import BeachSetup, SkipCode
from skirmish.games.beach_head.state import BeachState, TurnStart
from skirmish.tabletop.chance import Draw, Source, parse_card, spell
from skirmish.tabletop.journal import Entry, fold

GAME = registry.load("beach_head")
codec = GAME.codec


def opening(setup: BeachSetup) -> BeachEntry:
    """The first entry of a game."""
    return Entry(1, "open", None, (BeachOpened(setup=setup),))


def played(setup: BeachSetup, policy: GamePolicy, seed: int) -> BeachPlay:
    """A whole game played by a policy, with its journal."""
    chance = Random(seed)
    play: BeachPlay = codec.play([opening(setup)])
    while not play.state.over:
        play.accept(play.consider(policy.order(play.state, chance)))
    return play


def cards(text: str) -> tuple[Draw, ...]:
    return tuple(parse_card(word) for word in text.split())


def order(step: str) -> orders.BeachOrder:
    """A step in words as an order."""
    verb, _, rest = step.partition(" ")
    match verb:
        case "go":
            return orders.Go()
        case "roll" | "lot":
            return orders.ShowDice(faces=tuple(map(int, rest.split())))
        case "aim":
            return orders.ChooseTarget(target=rest)  # type: ignore[arg-type]
        case "decline":
            return orders.ChooseTarget(target=None)
        case "lose":
            return orders.GiveTank(tank=rest)  # type: ignore[arg-type]
        case "play":
            card, _, die = rest.partition(" on die ")
            return orders.PlayCard(card=parse_card(card), die=int(die or 1) - 1)
        case "draw":
            return orders.Draws(cards=cards(rest))
        case "discard":
            return orders.Discard(cards=cards(rest))
    raise ValueError(step)


class Table:
    """The state, and what has happened since the phase began."""

    def __init__(self, state: BeachState) -> None:
        self.state = state
        self.events: list[BeachEvent] = []
        self.give(orders.Go())

    def give(self, what: orders.BeachOrder) -> None:
        events = GAME.decide(self.state, what)
        self.state = fold(GAME, events, self.state)
        self.events += events

    def do(self, *steps: str) -> Table:
        """Play the steps; raises Refused."""
        for step in steps:
            if not step.startswith(("play", "go")):
                self.count()
            self.give(order(step))
        return self

    def done(self, *steps: str) -> Table:
        """The same, and the last dice count too."""
        self.do(*steps).count()
        return self

    def count(self) -> None:
        roll = self.state.roll
        if roll is not None and roll.faces and self.state.ask is None:
            self.give(orders.Go())

    def refusal(self, step: str) -> str:
        """The code with which a step is refused now; empty if it is not."""
        refused = order(step).why_not(self.state)
        if refused is not None:
            assert refused.firm, refused
            assert refused.message.endswith("."), refused
        return refused.code if refused else ""

    @property
    def totals(self) -> list[int]:
        return [one.total for one in self.events if isinstance(one, Settled)]

    @property
    def hand(self) -> str:
        return spell(self.state.hand)

    def skipped(self) -> dict[str, SkipCode]:
        """Phases skipped since, with the reason."""
        return {one.phase: one.why for one in self.events if isinstance(one, Skipped)}

    def __getitem__(self, defence: str) -> int:
        return dict(self.state.defences)[defence]


def at(
    phase: str,
    *,
    defences: Mapping[str, int] | None = None,
    squads: int = 0,
    tanks: Iterable[str] = (),
    hand: str | None = None,
    gone: str = "",
    discard: str = "",
    craft_hit_last_turn: int = 0,
    turn: int = 1,
    rulings: dict[str, str] | None = None,
    variant: Any = "normandy",
    seed: int | None = None,
    turn_began: Mapping[str, int] | None = None,
    version: int = 2,
) -> Table:
    """A table where ``phase`` begins. ``hand``: played with cards; ``gone`` and ``discard`` are no
    more in the deck. ``turn_began``: what was otherwise at the start of the turn (``squads`` too).
    In ``version`` 1 own dice always lie on the table until the player goes on.
    """
    held = cards(hand or "")
    deck = Source("deck", seed, gone=(*held, *cards(gone), *cards(discard)))
    setup = library.beach().setup(
        rulings=rulings or {},
        variant=variant,
        dice=Source("die", seed),
        cards=None if hand is None else deck,
    )
    state = fold(GAME, opening(replace(setup, version=version)).events)
    stands: Any = state.defences | dict(defences or {})
    began = stands | {"squads": squads} | dict(turn_began or {})
    turn_start = TurnStart(stands | {name: began[name] for name in stands}, began["squads"])
    place = setup.ruleset.place(phase)
    state = replace(
        state,
        turn=turn if place else turn - 1,
        phase=setup.ruleset.phase[place - 1].id,  # the end phase before a first one
        defences=stands,
        squads=squads,
        tanks=tuple(tanks),
        craft_hit=0 if place else craft_hit_last_turn,
        craft_hit_before=craft_hit_last_turn if place else 0,
        turn_start=turn_start,
        defences_at_phase_start=stands,
        hand=held,
        discard=cards(discard),
    )
    return Table(state)
