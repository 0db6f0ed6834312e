"""Orders that are chosen in small windows: levels, optional rules, secrets, notes, who won."""

from __future__ import annotations

from collections.abc import Callable

from skirmish.app.host import Host
from skirmish.app.windows import ChoiceScreen, TextEntry
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    Command,
    Finish,
    Note,
    PlayOn,
    Seal,
    SetLevel,
    SetQuality,
    Switch,
    Unseal,
)
from skirmish.games.plastic.battle.setup import Level
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import WORDS
from skirmish.tabletop.chance import Source

LEVELS: tuple[tuple[str, Level, str, str], ...] = (
    ("referee deck", "referee", "deck", "Referee: the program draws cards"),
    ("referee die", "referee", "die", "Referee: the program rolls a d12"),
    ("clerk deck", "clerk", "deck", "Clerk: you draw cards and type them in"),
    ("clerk die", "clerk", "die", "Clerk: you roll a d12 and type it in"),
    ("ledger deck", "ledger", "deck", "Ledger: losses and clock only, your cards"),
    ("ledger die", "ledger", "die", "Ledger: losses and clock only, your d12"),
)
"""Id, level, kind of source, words."""


async def ask_level(app: Host, state: State) -> AnyOrder | None:
    """A side, then how it uses the program from now on, with a fresh deck or die."""
    sides = [(side.id, f"{side.people}: {state.levels[side.id]}") for side in state.setup.sides]
    side = await app.push_screen_wait(ChoiceScreen("How is the program used?", "", sides))
    if side is None:
        return None
    scenario = state.setup.scenario
    no_dice = scenario is not None and scenario.cards_only
    choices = [(name, words) for name, _, kind, words in LEVELS if not (no_dice and kind == "die")]
    known = state.setup.side_by_id[side]
    choices.append(("player", f"Commander: {known.player or 'nobody named'}"))
    chosen = await app.push_screen_wait(
        ChoiceScreen(known.people, "From now on, with a fresh deck or die.", choices)
    )
    if chosen == "player":
        title = f"Who commands {state.setup.the(side)}?"
        name = await app.push_screen_wait(TextEntry(title, "An empty line leaves it open."))
        return None if name is None else Command(side=side, player=name)
    for name, level, kind, _ in LEVELS:
        if name == chosen:
            seed = app.seed() if level == "referee" else None
            source = Source("die" if kind == "die" else "deck", seed=seed)
            return SetLevel(side=side, level=level, source=source)
    return None


async def ask_options(app: Host, state: Callable[[], State]) -> AnyOrder | None:
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
        (
            f"quality {side.id}",
            f"{side.people}, force quality: {_quality(now, side.id)}",
        )
        for side in now.setup.sides
    ]
    text = "Choose a rule to turn it on or off from now on. Esc when done."
    chosen = await app.push_screen_wait(ChoiceScreen("Optional rules", text, choices))
    if chosen is None:
        return None
    if not chosen.startswith("quality "):
        on = getattr(now.options, chosen, chosen in now.toggled)
        return Switch(option=chosen, on=not on)
    side = chosen.partition(" ")[2]
    qualities = [("", "No force quality")]
    qualities += [(name, quality.name) for name, quality in now.setup.catalog.qualities.items()]
    title = f"Force quality: {now.setup.side_by_id[side].people}"
    quality = await app.push_screen_wait(ChoiceScreen(title, "", qualities))
    return None if quality is None else SetQuality(side=side, quality=quality or None)


async def ask_seal(app: Host, state: State) -> AnyOrder | None:
    """A secret of a side: written now, or opened."""
    choices = []
    for side in state.setup.sides:
        if side.id in state.sealed:
            choices.append((f"open {side.id}", f"{side.people}: open the sealed secret"))
        else:
            choices.append((f"seal {side.id}", f"{side.people}: write a secret and seal it"))
    chosen = await app.push_screen_wait(
        ChoiceScreen(
            "A secret",
            "It stays sealed until its side opens it. The other side looks away now.",
            choices,
        )
    )
    if chosen is None:
        return None
    what, _, side_id = chosen.partition(" ")
    if what == "open":
        return Unseal(side_id)
    title = f"A secret: {state.setup.side_by_id[side_id].people}"
    text = await app.push_screen_wait(TextEntry(title, "For example, where the hidden men are."))
    return Seal(side=side_id, text=text) if text else None


async def ask_note(app: Host) -> AnyOrder | None:
    """Words of the players' own."""
    text = await app.push_screen_wait(TextEntry("Note", "It goes into the journal."))
    return Note(text) if text else None


async def ask_finish(app: Host, state: State) -> AnyOrder | None:
    """Who won; after the end, whether the players go on."""
    if state.outcome is not None:
        chosen = await app.push_screen_wait(
            ChoiceScreen("The battle is over", state.outcome.reason, [("on", "Play on anyway")])
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
