"""Orders that are chosen in small windows: levels, optional rules, secrets, notes, who won."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from skirmish.app.choice import ChoiceScreen
from skirmish.app.words_screen import WordsScreen
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    Finish,
    Level,
    Note,
    PlayOn,
    Seal,
    SetLevel,
    SetQuality,
    Switch,
    Unseal,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import WORDS
from skirmish.tabletop.chance import Source

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp

LEVELS: tuple[tuple[str, Level, str, str], ...] = (
    ("referee deck", "referee", "deck", "Referee: the program draws cards"),
    ("referee die", "referee", "die", "Referee: the program rolls a d12"),
    ("clerk deck", "clerk", "deck", "Clerk: own cards, typed in"),
    ("clerk die", "clerk", "die", "Clerk: own d12, typed in"),
    ("ledger deck", "ledger", "deck", "Ledger: losses and clock only, own cards"),
    ("ledger die", "ledger", "die", "Ledger: losses and clock only, own d12"),
)
"""Id, level, kind of source, words."""


async def ask_level(app: SkirmishApp, state: State) -> AnyOrder | None:
    """A side, then how it uses the program from now on, with a fresh deck or die."""
    sides = [(side.id, f"{side.people}: {state.levels[side.id]}") for side in state.setup.sides]
    side = await app.push_screen_wait(ChoiceScreen("How is the program used?", "", sides))
    if side is None:
        return None
    scenario = state.setup.scenario
    no_dice = scenario is not None and scenario.cards_only
    choices = [(name, words) for name, _, kind, words in LEVELS if not (no_dice and kind == "die")]
    people = state.setup.side_by_id[side].people
    chosen = await app.push_screen_wait(
        ChoiceScreen(people, "From now on, with a fresh deck or die.", choices)
    )
    for name, level, kind, _ in LEVELS:
        if name == chosen:
            seed = app.seed() if level == "referee" else None
            source = Source("die" if kind == "die" else "deck", seed=seed)
            return SetLevel(side=side, level=level, source=source)
    return None


async def ask_options(app: SkirmishApp, state: Callable[[], State]) -> AnyOrder | None:
    """One optional rule turned, or a side's force quality; None: done."""
    now = state()
    choices = [
        (name, f"{words}: {'ON' if getattr(now.options, name) else 'off'}")
        for name, words in WORDS.items()
    ]
    choices += [
        (kind.state, f"{kind.state.capitalize()}: {'ON' if kind.state in now.toggled else 'off'}")
        for kind in now.setup.toggling.values()
    ]
    choices += [
        (f"quality {side.id}", f"Force quality of {side.people}: {_quality(now, side.id)}")
        for side in now.setup.sides
    ]
    text = "A line turns its rule on or off from now on. Esc: done."
    chosen = await app.push_screen_wait(ChoiceScreen("Optional rules", text, choices))
    if chosen is None:
        return None
    if not chosen.startswith("quality "):
        on = getattr(now.options, chosen, chosen in now.toggled)
        return Switch(option=chosen, on=not on)
    side = chosen.partition(" ")[2]
    qualities = [("", "None is played")]
    qualities += [(name, quality.name) for name, quality in now.setup.catalog.qualities.items()]
    people = now.setup.side_by_id[side].people
    quality = await app.push_screen_wait(ChoiceScreen(f"Force quality of {people}", "", qualities))
    return None if quality is None else SetQuality(side=side, quality=quality or None)


async def ask_seal(app: SkirmishApp, state: State) -> AnyOrder | None:
    """A secret of a side: written now, or opened."""
    choices = []
    for side in state.setup.sides:
        if side.id in state.sealed:
            choices.append((f"open {side.id}", f"{side.people}: open what is sealed"))
        else:
            choices.append((f"seal {side.id}", f"{side.people}: write something and seal it"))
    chosen = await app.push_screen_wait(
        ChoiceScreen("A secret", "Kept until its side opens it; the other looks away.", choices)
    )
    if chosen is None:
        return None
    what, _, side_id = chosen.partition(" ")
    if what == "open":
        return Unseal(side_id)
    people = state.setup.side_by_id[side_id].people
    text = await app.push_screen_wait(WordsScreen(f"{people} seal", "Where the hidden ones are."))
    return Seal(side=side_id, text=text) if text else None


async def ask_note(app: SkirmishApp) -> AnyOrder | None:
    """Words of the players' own."""
    text = await app.push_screen_wait(WordsScreen("Note", "It stands in the journal."))
    return Note(text) if text else None


async def ask_finish(app: SkirmishApp, state: State) -> AnyOrder | None:
    """Who won; after the end, whether the players go on."""
    if state.outcome is not None:
        chosen = await app.push_screen_wait(
            ChoiceScreen("It is over", state.outcome.reason, [("on", "Play on all the same")])
        )
        return PlayOn() if chosen else None
    sides = [(side.id, f"{side.people} win") for side in state.setup.sides]
    chosen = await app.push_screen_wait(
        ChoiceScreen("Who won?", state.setup.victory, [*sides, ("", "Nobody: a draw")])
    )
    return None if chosen is None else Finish(winner=chosen or None)


def _quality(state: State, side: str) -> str:
    quality = state.quality_of(side)
    return quality.name if quality else "none"
