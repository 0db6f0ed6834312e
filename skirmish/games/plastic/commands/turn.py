"""The clock, corrections, counts, the end, and agreements between the players."""

from __future__ import annotations

from typing import Any

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import NOT_COUNTED, at_end_of_phase, kind_of
from skirmish.games.plastic.commands.sides import (
    BATTLE,
    CORRECTIONS,
    FIRE,
    MOVEMENT,
    TURN,
    Declared,
    Parts,
    Sides,
    key,
    numbered_options,
)
from skirmish.games.plastic.rules.options import WORDS
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.slots import MOST, Choose, Confirm, Number, Slot, Words

LEVELS = (
    (("referee", "deck"), "Referee: the program draws cards"),
    (("referee", "die"), "Referee: the program rolls a d12"),
    (("clerk", "deck"), "Clerk: you draw cards and type them in"),
    (("clerk", "die"), "Clerk: you roll a d12 and type it in"),
    (("ledger", "deck"), "Ledger: losses and clock only, your cards"),
    (("ledger", "die"), "Ledger: losses and clock only, your d12"),
)
LONGEST = 200
FIGHTS = 3
"""The phase in which the mover's units in contact fight; in the next one the enemy's do."""

# ------------------------------------------------------------------ losses, the clock

PHASE = Declared(">", "phase", TURN, orders.EndPhase, "Next phase")


@key("E", "end_turn", TURN, orders.EndTurn, "End this player turn")
def end_turn(at: Sides) -> Parts:
    text = skipped(at.state)
    if not text:
        return {}
    slot = Confirm(
        name="ends",
        text=text,
        key_note="Enter ends the turn all the same.",
        optional=False,
        default=True,
        says="End the turn",
        unfit="Enter ends the turn, Esc goes back to it.",
    )
    return {"slots": (slot,), "make": lambda ends: orders.EndTurn()}


def skipped(state: State) -> str:
    """What of this player turn would not be played if it ended now, as a sentence; empty: nothing.
    Who touches whom is seen on the table only, so anybody there may be in contact."""
    fighting = all(any(row.here for row in rows(state, side.id)) for side in state.setup.sides)
    if not fighting or at_end_of_phase(state):
        return ""
    answer = state.setup.of(state.setup.enemy_of(state.mover).id, "answer")
    if state.clock.phase < FIGHTS:
        return f"This skips close combat (phase 3) and the {answer} (phase 4)."
    if state.clock.phase == FIGHTS:
        return f"This skips the {answer} in close combat (phase 4)."
    return ""


@key(
    "-", "lost", CORRECTIONS, orders.Correct, "Take off losses without a shot: -3r; Tab other side"
)
def lost(at: Sides) -> Parts:
    asks = "are taken off without a shot."
    return at.numbered(
        lambda row, count: orders.Correct(row=row, by=-count),
        asks,
        either=True,
        most=lambda row: len(row.alive),
    )


BACK = "Put men back, or add new ones: +r; + Enter a new kind"


@key("+", "men_back", CORRECTIONS, orders.Correct, BACK)
def men_back(at: Sides) -> Parts:
    return at.numbered(
        lambda row, count: orders.Correct(row=row, by=count),
        "stand again.",
        key_note="Enter: a kind of unit that this side does not have.",
        either=True,
        new=True,
        now=False,
    )


@key("*", "pins", FIRE, orders.MarkPinned, "Take a pin off a row, or put one on: *r")
def pins(at: Sides) -> Parts:
    return at.numbered(
        lambda row, **_: orders.MarkPinned(row),
        "are pinned, or no longer.",
        side=at.mover,
        either=True,
        hint=lambda _: "A row with a pin loses it; another is marked as pinned.",
        now=bool(at.state.pinned),
    )


@key("K", "pin_test", FIRE, orders.PinTest, "Draw a pin test for the side under fire")
def pin_test(at: Sides) -> Parts:
    shot_at = at.enemy(at.state.firing_side)
    return {"make": lambda: orders.PinTest(shot_at), "now": at.state.options.pinning}


@key("C", "count", MOVEMENT, orders.Count, "Enter what you count on the table for victory")
def count(at: Sides) -> Parts:
    none = "" if kind_of(at.state).counted_sides else NOT_COUNTED
    why_not = at.waits or none
    return {"slots": count_slots(at.state), "make": counted, "now": not none, "why_not": why_not}


@key("T", "clock", TURN, orders.SetClock, "Set turn, side and phase")
def clock(at: Sides) -> Parts:
    now = at.state.clock

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        side, phase = facts["side"], facts["phase"]
        return (
            Toggle(
                name="side",
                key="tab",
                label=f"{at.people(side)} to move",
                sets={"side": at.enemy(side)},
                mark=side != now.side,
            ),
            Toggle(
                name="phase",
                key="p",
                label=f"phase {phase}, {PHASES[phase].lower()}",
                sets={"phase": phase % len(PHASES) + 1},
                mark=phase != now.phase,
            ),
        )

    text = "Which turn is it? Only the clock changes: no deck is shuffled, and no casualty returns."
    return {
        "given": {"side": now.side, "phase": now.phase},
        "toggles": toggles,
        "slots": (Number(name="turn", text=text, low=1, high=MOST, default=now.turn),),
    }


def counted(**values: int) -> orders.Count:
    return orders.Count(values=values)


def count_slots(state: State) -> tuple[Slot, ...]:
    last, previous = state.counted, ""
    if last:
        people = state.words.people
        numbers = ", ".join(f"{people(side)} {number}" for side, number in last.values.items())
        previous = f" (Turn {last.clock.turn}: {numbers}.)"
    return tuple(
        Number(
            name=side,
            text=f"{kind_of(state).question}: how many for {state.setup.the(side)}?{previous}",
            high=999,
        )
        for side in kind_of(state).counted_sides
    )


# ------------------------------------------------------------------ the end


@key("F", "finish", TURN, orders.Finish, "Say who won; after the end, play on")
def finish(at: Sides) -> Parts:
    outcome = at.state.outcome
    if outcome is None:
        slot: Slot = who_won(at.state)
        return {"label": "Say who won", "word": "finish", "slots": (slot,), "make": finished}
    text = f"The battle is over. {outcome.reason}"
    slot = Choose(name="on", text=text, options=numbered_options([("on", "Play on anyway")]))
    return {
        "label": "Play on",
        "word": "finish",
        "slots": (slot,),
        "make": lambda on: orders.PlayOn(),
    }


def finished(winner: str) -> orders.Finish:
    return orders.Finish(winner=winner or None)


def who_won(state: State) -> Choose:
    sides = [
        (side.id, state.setup.does(side.id, "win", "wins", "").strip())
        for side in state.setup.sides
    ]
    options = numbered_options([*sides, ("", "Nobody: a draw")])
    return Choose(name="winner", text=f"Who won? {state.setup.victory}", options=options)


# ------------------------------------------------------------------ what players agree on


@key("N", "note", BATTLE, orders.AddNote, "Write a note into the journal")
def note(_: Sides) -> Parts:
    text = "Note: it goes into the journal."
    return {"word": "note", "slots": (Words(name="text", text=text, longest=LONGEST),)}


@key("I", "levels", BATTLE, orders.SetLevel, "Who draws on each side, and its commander's name")
def levels(at: Sides) -> Parts:
    state = at.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        sides = [(side.id, f"{side.people}: {state.levels[side.id]}") for side in state.setup.sides]
        text = "How is the program used?"
        whose = Choose(name="side", text=text, options=numbered_options(sides))
        if not facts.get("side"):
            return (whose,)
        known, scenario = state.setup.side_by_id[facts["side"]], state.setup.scenario
        cards_only = scenario is not None and scenario.cards_only
        found: list[tuple[Any, str]] = [
            one for one in LEVELS if not (cards_only and one[0][1] == "die")
        ]
        found.append(("player", f"Commander: {known.player or 'nobody named'}"))
        text = f"{known.people}: from now on, with a fresh deck or die."
        how = Choose(name="level", options=numbered_options(found), text=text)
        if facts.get("level") != "player":
            return (whose, how)
        text = f"Who commands {state.setup.the(known.id)}? An empty line leaves it open."
        return (whose, how, Words(name="player", text=text, default="", longest=20))

    def make(side: str, level: Any, seed: int, player: str = "") -> AnyOrder:
        if level == "player":
            return orders.NameCommander(side=side, player=player)
        name, kind = level
        source = Source(kind, seed if name == "referee" else None)
        return orders.SetLevel(side=side, level=name, source=source)

    return {"slots": slots, "make": make, "seeded": True}


@key("Z", "rules", BATTLE, orders.Switch, "Turn optional rules and force quality on or off")
def rules(at: Sides) -> Parts:
    state = at.state
    on = {name: getattr(state.options, name) for name in WORDS}
    on |= {kind.state: kind.state in state.toggled for kind in state.setup.toggling.values()}

    def slots(facts: Answers) -> tuple[Slot, ...]:
        known = [
            (name, f"{WORDS.get(name, name.capitalize())}: {'ON' if is_on else 'off'}")
            for name, is_on in on.items()
        ]
        for side in state.setup.sides:
            quality = state.quality_of(side.id)
            has = f"{side.people}, force quality: {quality.name if quality else 'none'}"
            known.append((f"quality {side.id}", has))
        what = Choose(
            name="option",
            options=numbered_options(known),
            text="Choose a rule to turn it on or off from now on.",
            key_note="Esc when done.",
        )
        chosen = str(facts.get("option", "")).removeprefix("quality ")
        if chosen not in state.setup.side_by_id:
            return (what,)
        named = state.setup.catalog.qualities.items()
        qualities = [("", "No force quality"), *((name, one.name) for name, one in named)]
        text = f"Force quality: {at.people(chosen)}"
        return (what, Choose(name="quality", text=text, options=numbered_options(qualities)))

    def make(option: str, quality: str = "") -> AnyOrder:
        if option.startswith("quality "):
            side = option.removeprefix("quality ")
            return orders.SetQuality(side=side, quality=quality or None)
        return orders.Switch(option=option, on=not on[option])

    return {"slots": slots, "make": make, "reopens": True}


@key("Q", "seal", BATTLE, orders.Seal, "Seal a secret, or open one")
def seal(at: Sides) -> Parts:
    state = at.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        opens, writes = "open the sealed secret", "write a secret and seal it"
        sides = [
            (side.id, f"{side.people}: {opens if side.id in state.sealed else writes}")
            for side in state.setup.sides
        ]
        text = "A secret stays sealed until its side opens it. The other side looks away now."
        whose = Choose(name="side", options=numbered_options(sides), text=text)
        if not facts.get("side") or facts["side"] in state.sealed:
            return (whose,)
        text = f"A secret: {at.people(facts['side'])}. For example, where the hidden men are."
        return (whose, Words(name="text", text=text, longest=LONGEST, secret=True))

    def make(side: str, text: str = "") -> AnyOrder:
        return orders.Seal(side=side, text=text) if text else orders.Unseal(side)

    more: Parts = {"why_not": ""} if state.sealed else {}
    return {"slots": slots, "make": make, **more}
