"""The commands by which players agree on something: notes, how the program is used, optional rules,
secrets."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.qualities import (
    contingents_have_qualities,
    plays_qualities_of_contingents,
)
from skirmish.games.plastic.battle.setup import Level, Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow, numbered_options
from skirmish.games.plastic.commands.declaring import (
    BATTLE,
    CommandParts,
    key,
)
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Answers
from skirmish.tabletop.slots import Choose, Slot, Words


class WayToPlay(NamedTuple):
    """How the program is used for a side: its level, and what is drawn from."""

    level: Level
    kind: Literal["deck", "die"]


WAYS_TO_PLAY = {
    WayToPlay("referee", "deck"): "Referee: the program draws cards",
    WayToPlay("referee", "die"): "Referee: the program rolls a d12",
    WayToPlay("clerk", "deck"): "Clerk: you draw cards and type them in",
    WayToPlay("clerk", "die"): "Clerk: you roll a d12 and type it in",
    WayToPlay("ledger", "deck"): "Ledger: losses and clock only, your cards",
    WayToPlay("ledger", "die"): "Ledger: losses and clock only, your d12",
}
"""How the program may be used for a side, in words."""
COMMANDER = "player"
"""The answer in place of a level where a side's commander is to be named."""
LONGEST_TEXT = 200
"""The most characters of a note or a secret."""
LONGEST_NAME = 20
"""The most characters of a commander's name."""


class QualityOf(NamedTuple):
    """The answer that changes the force quality of a side, in place of the name of a rule."""

    side: str


@key("N", "note", BATTLE, orders.AddNote, "Write a note into the journal")
def note(battle: BattleNow) -> CommandParts:
    """A note of the players, which changes nothing."""
    del battle
    text = "Note: it goes into the journal."
    return CommandParts(word="note", slots=(Words(name="text", text=text, longest=LONGEST_TEXT),))


@key("I", "levels", BATTLE, orders.SetLevel, "Who draws on each side, and its commander's name")
def levels(battle: BattleNow) -> CommandParts:
    """Who draws for a side from now on, or who commands it."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        sides = {side.id: f"{side.people}: {state.levels[side.id]}" for side in state.setup.sides}
        text = "Which side?"
        whose = Choose(name="side", text=text, options=numbered_options(sides))
        if not facts.get("side"):
            return (whose,)
        side = state.setup.side_by_id[facts["side"]]
        how = _level_slot(state, side)
        if facts.get("level") != COMMANDER:
            return (whose, how)
        text = f"Who commands {state.setup.the(side.id)}? An empty line leaves it open."
        name = Words(name="player", text=text, default="", longest=LONGEST_NAME)
        return (whose, how, name)

    def make(side: str, level: WayToPlay | str, seed: int, player: str = "") -> AnyOrder:
        if not isinstance(level, WayToPlay):  # ``COMMANDER``
            return orders.NameCommander(side=side, player=player)
        source = Source(level.kind)
        # Only a referee has the program draw, which needs a seed.
        if level.level == "referee":
            source = Source(level.kind, seed)
        return orders.SetLevel(side=side, level=level.level, source=source)

    return CommandParts(slots=slots, make=make, seeded=True)


def _level_slot(state: State, side: Side) -> Slot:
    """The question for the level that a side has from now on, or for naming its commander."""
    scenario = state.setup.scenario
    # In some scenarios a card starts something, as the dust of scenario 8. A die never would.
    cards_only = scenario is not None and scenario.cards_only
    answers: dict[WayToPlay | str, str] = {}
    for way, words in WAYS_TO_PLAY.items():
        if not (cards_only and way.kind == "die"):
            answers[way] = words
    answers[COMMANDER] = f"Commander: {side.player or 'nobody named'}"
    text = f"{side.people}: from now on, with a fresh deck or die."
    return Choose(name="level", options=numbered_options(answers), text=text)


@key("Z", "rules", BATTLE, orders.Switch, "Turn optional rules and force quality on or off")
def rules(battle: BattleNow) -> CommandParts:
    """An option of the rules is turned on or off, or the quality of a force is changed."""
    state = battle.state
    is_on = _what_is_on(state)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        which_rule = Choose(
            name="option",
            options=numbered_options(_rules_that_change(state, is_on)),
            text="Choose a rule to turn it on or off from now on.",
            key_note="Esc when done.",
        )
        chosen = facts.get("option")
        # A rule is only turned over, which needs no further answer.
        if not isinstance(chosen, QualityOf):
            return (which_rule,)
        return (which_rule, _quality_slot(battle, chosen.side))

    def make(option: str | QualityOf, quality: str = "") -> AnyOrder:
        if isinstance(option, QualityOf):
            return orders.SetQuality(side=option.side, quality=quality or None)
        return orders.Switch(option=option, on=not is_on[option])

    return CommandParts(slots=slots, make=make, reopens=True)


def _what_is_on(state: State) -> dict[str, bool]:
    """Whether each optional rule is on, and each condition that can be switched like a rule."""
    is_on = {name: getattr(state.options, name) for name in OPTION_NAMES}
    # A scenario may have conditions that a card starts and players may end, such as dust. Each goes
    # by the word for it (``state``).
    for happening in state.setup.toggling.values():
        is_on[happening.state] = happening.state in state.toggled
    return is_on


def _quality_slot(battle: BattleNow, side: str) -> Slot:
    """The question for the force quality of a side; empty is the answer for none."""
    qualities = {"": "No force quality"}
    for id, quality in battle.state.setup.catalog.qualities.items():
        qualities[id] = quality.name
    text = f"Force quality: {battle.people(side)}"
    if contingents_have_qualities(battle.state, side):
        text += ". Each group keeps its own, unless you choose no force quality."
    return Choose(name="quality", text=text, options=numbered_options(qualities))


def _rules_that_change(state: State, is_on: dict[str, bool]) -> dict[str | QualityOf, str]:
    """The optional rules and each side's force quality, with what they are now."""
    answers: dict[str | QualityOf, str] = {}
    for name, on in is_on.items():
        setting = "off"
        if on:
            setting = "ON"
        answers[name] = f"{OPTION_NAMES.get(name, name.capitalize())}: {setting}"
    for side in state.setup.sides:
        quality = state.quality_of(side.id)
        setting = "none"
        if quality is not None:
            setting = quality.name
        if plays_qualities_of_contingents(state, side.id):
            setting = "by group"
        answers[QualityOf(side.id)] = f"{side.people}, force quality: {setting}"
    return answers


@key("Q", "seal", BATTLE, orders.Seal, "Seal a secret, or open one")
def seal(battle: BattleNow) -> CommandParts:
    """A side writes down what the other is not to know yet, and opens it when it matters."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        sides = {}
        for side in state.setup.sides:
            what_is_done = "write a secret and seal it"
            if side.id in state.sealed:
                what_is_done = "open the sealed secret"
            sides[side.id] = f"{side.people}: {what_is_done}"
        text = "A secret stays sealed until its side opens it. The other side looks away now."
        whose = Choose(name="side", options=numbered_options(sides), text=text)
        if not facts.get("side") or facts["side"] in state.sealed:
            return (whose,)
        text = f"A secret: {battle.people(facts['side'])}. For example, where the hidden men are."
        return (whose, Words(name="text", text=text, longest=LONGEST_TEXT, secret=True))

    def make(side: str, text: str = "") -> AnyOrder:
        if text:
            return orders.Seal(side=side, text=text)
        # No text was asked of a side that has a sealed secret.
        return orders.Unseal(side)

    parts = CommandParts(slots=slots, make=make)
    if state.sealed:
        # A sealed secret may be opened also when the battle is over. Whether the other side may
        # still write one, its order says.
        return replace(parts, why_not="")
    return parts
