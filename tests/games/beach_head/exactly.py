"""One phase, exactly: the game itself is given every face of every die, and says what comes of it.

Nothing of the simulator is used here. Choices are as likely as one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from msgspec.structs import replace

from skirmish import library
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.events import BeachOpened, Begun, Skipped
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.state import BeachState, TurnStart
from skirmish.tabletop.chance import Source

Key = tuple[int, ...]


def setup(rulings: Mapping[str, str] = {}, variant: Any = "normandy") -> BeachSetup:
    """A game without cards, its dice the player's own."""
    return library.beach().setup(
        rulings=dict(rulings),
        variant=variant,
        dice=Source("die", None),
    )


def before_phase(game: BeachSetup, phase: str, **changed: Any) -> BeachState:
    """The beach just before ``phase``, with whatever is ``changed``: defences by name, the
    state's own fields, ``at_turn`` as defences by name and ``at_turn_squads``."""
    state = BeachOpened(setup=game).apply(None)
    defences = game.points()
    for name in list(changed):
        if name in defences:
            defences[name] = changed.pop(name)  # type: ignore[index]
    at_turn = dict(defences) | changed.pop("at_turn", {})
    squads = changed.get("squads", 0)
    remembered = TurnStart(at_turn, changed.pop("at_turn_squads", squads))
    place = game.ruleset.place(phase)
    return replace(
        state,
        **({"turn": 5} | changed),
        phase=game.ruleset.phase[place - 1].id,
        defences=defences,
        turn_start=remembered,
        defences_at_phase_start=game.points(),
    )


def exactly(state: BeachState) -> dict[Key, Fraction]:
    """How likely each end of the next phase is."""
    phases = state.setup.ruleset.phase
    wanted = phases[state.setup.ruleset.place(state.phase) + 1].id
    ends: Counter[Key] = Counter()
    stack = [(state, Fraction(1))]
    while stack:
        now, weight = stack.pop()
        following = list(_answers(now))
        for order in following:
            share = weight / len(following)
            then, over = _until_after(now, order, wanted)
            if over:
                ends[key(then)] += share  # type: ignore[assignment]
            else:
                stack.append((then, share))
    return dict(ends)  # type: ignore[arg-type]


def _until_after(
    state: BeachState, order: orders.BeachOrder, phase: str
) -> tuple[BeachState, bool]:
    for event in order.decide(state):
        if isinstance(event, Begun | Skipped) and event.phase != phase:
            return state, True
        state = event.apply(state)
    return state, state.over


def _answers(state: BeachState) -> Iterator[orders.BeachOrder]:
    match state.ask:
        case BeachAsk(what="dice", count=count):
            for faces in product(range(1, 7), repeat=count):
                yield orders.ShowDice(faces=faces)
        case BeachAsk(what="lot", sides=sides):
            for side in range(1, sides + 1):
                yield orders.ShowDice(faces=(side,))
        case BeachAsk(what="target", targets=targets):
            for target in targets:
                yield orders.ChooseTarget(target=target)
        case BeachAsk(what="tank", kinds=kinds):
            for kind in kinds:
                yield orders.GiveTank(tank=kind)
        case _:
            yield orders.Go()


def key(state: BeachState) -> Key:
    """What is compared: defences, tanks by kind, squads, casualties, tanks lost, craft hit, and
    whether the game is won."""
    manual = state.setup.ruleset
    return (
        *(state.defences[one.id] for one in manual.defence),
        *(state.tanks.count(one.id) for one in manual.tank),
        state.squads,
        state.casualties,
        state.tanks_lost,
        state.craft_hit,
        int(state.over),
    )
