"""The clock, corrections, counts, the end, and what players agree on in a battle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import kind_of
from skirmish.games.plastic.commands.sides import (
    BATTLE,
    CORRECTIONS,
    FIRE,
    MOVEMENT,
    TURN,
    AnyCommand,
    SoMany,
)
from skirmish.games.plastic.rules.options import WORDS
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.slots import (
    MOST,
    Choose,
    Slot,
    numbered_options,
)
from skirmish.tabletop.typed_slots import Number, Words

LEVELS = (
    (("referee", "deck"), "Referee: the program draws cards"),
    (("referee", "die"), "Referee: the program rolls a d12"),
    (("clerk", "deck"), "Clerk: you draw cards and type them in"),
    (("clerk", "die"), "Clerk: you roll a d12 and type it in"),
    (("ledger", "deck"), "Ledger: losses and clock only, your cards"),
    (("ledger", "die"), "Ledger: losses and clock only, your d12"),
)
LONGEST = 200


class Turn(SoMany):
    """The clock, losses and men back, checks by hand, counts."""

    def commands(self, over: str, waits: str) -> Iterator[AnyCommand]:
        state, going = self.state, not waits
        yield Command(
            key=">",
            label="Next phase",
            word="phase" * going,
            verb="phase",
            group=TURN,
            make=orders.EndPhase,
            why_not=over,
        )
        yield Command(
            key="E",
            label="End this player turn",
            word="end turn" * going,
            verb="end_turn",
            group=TURN,
            make=orders.EndTurn,
            why_not=over,
        )
        yield self.clock(over, going)
        yield finish(state)
        yield self.numbered(
            "-",
            "lost",
            "Take off losses without a shot: -3r; Tab other side",
            either=True,
            asks="are taken off without a shot.",
            word="lost" * going,
            group=CORRECTIONS,
            why_not=over,
            make=lambda row, count: orders.Correct(row=row, by=-count),
        )
        yield self.numbered(
            "+",
            "men_back",
            "Put men back, or add new ones: +r; + Enter a new kind",
            either=True,
            asks="stand again. Enter: a kind of unit that this side does not have.",
            new=True,
            make=lambda row, count: orders.Correct(row=row, by=count),
            group=CORRECTIONS,
            why_not=over,
            topic="mode back",
        )
        yield self.numbered(
            "*",
            "pins",
            "Take a pin off a row, or put one on: *r",
            side=state.mover,
            either=True,
            asks="are pinned, or no longer.",
            make=lambda row, _: orders.MarkPinned(row),
            hint=lambda _: "A row with a pin loses it; another is marked as pinned.",
            group=FIRE,
            word="pins" * (going and bool(state.pinned)),
            why_not=waits,
            topic="mode pinned",
        )
        shot_at = self.enemy(state.firing_side)
        yield Command(
            key="K",
            label="Draw a pin test for the side under fire",
            verb="pin_test",
            group=FIRE,
            word="pin test" * (going and state.options.pinning),
            why_not=waits,
            make=lambda: orders.PinTest(shot_at),
        )
        sides = kind_of(state).counted_sides
        yield Command(
            key="C",
            label="Enter what you count on the table for victory",
            verb="count",
            word="count" * (going and bool(sides)),
            group=MOVEMENT,
            slots=count_slots(state),
            why_not=waits or ("" if sides else "Nothing is counted in this battle."),
            make=counted,
            topic="mode counting",
        )

    def clock(self, over: str, going: bool) -> AnyCommand:
        now = self.state.clock

        def toggles(facts: Answers) -> tuple[Toggle, ...]:
            side, phase = facts["side"], facts["phase"]
            return (
                Toggle(
                    name="side",
                    key="tab",
                    label=f"{self.people(side)} to move",
                    sets={"side": self.enemy(side)},
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

        text = (
            "Which turn is it? Only the clock changes: no deck is shuffled, and no casualty "
            "returns."
        )
        return Command(
            key="T",
            label="Set turn, side and phase",
            word="clock" * going,
            verb="clock",
            group=TURN,
            given={"side": now.side, "phase": now.phase},
            toggles=toggles,
            slots=(Number(name="turn", text=text, high=MOST, usual=now.turn),),
            why_not=over,
            make=orders.SetClock,
            topic="mode clocking",
        )


def counted(**values: int) -> orders.Count:
    """What was counted for each side."""
    return orders.Count(values=values)


def count_slots(state: State) -> tuple[Slot, ...]:
    """A number for each side that something is counted for."""
    last, told = state.counted, ""
    if last:
        people = {side.id: side.people for side in state.setup.sides}
        numbers = ", ".join(f"{people[side]} {number}" for side, number in last.values.items())
        told = f" (Turn {last.clock.turn}: {numbers}.)"
    return tuple(
        Number(
            name=side,
            text=f"{kind_of(state).question}: how many for {state.setup.the(side)}?{told}",
            high=999,
        )
        for side in kind_of(state).counted_sides
    )


def finish(state: State) -> AnyCommand:
    """Who won; after the end, whether the players go on."""
    slot, label = who_won(state), "Say who won"
    if state.outcome is not None:
        text = f"The battle is over. {state.outcome.reason}"
        on = numbered_options([("on", "Play on anyway")])
        slot, label = Choose(name="winner", text=text, options=on), "Play on"

    def make(winner: str) -> AnyOrder:
        return orders.PlayOn() if state.outcome else orders.Finish(winner=winner or None)

    return Command(
        key="F", label=label, word="finish", verb="finish", group=TURN, slots=(slot,), make=make
    )


def who_won(state: State) -> Choose:
    """A side, or nobody."""
    sides = [(side.id, f"{side.people} win") for side in state.setup.sides]
    options = numbered_options([*sides, ("", "Nobody: a draw")])
    return Choose(name="winner", text=f"Who won? {state.setup.victory}", options=options)


def agreements(state: State, over: str, waits: str) -> Iterator[AnyCommand]:
    going = not waits
    note = Words(name="text", text="Note: it goes into the journal.", longest=LONGEST)
    yield Command(
        key="N",
        label="Write a note into the journal",
        word="note",
        verb="note",
        group=BATTLE,
        slots=(note,),
        make=orders.Note,
    )
    yield Command(
        key="I",
        label="Who draws on each side, and its commander's name",
        word="levels" * going,
        verb="levels",
        group=BATTLE,
        slots=partial(_level_slots, state),
        make=_level,
        seeded=True,
        why_not=over,
    )
    yield Command(
        key="Z",
        label="Turn optional rules and force quality on or off",
        word="rules" * going,
        verb="rules",
        group=BATTLE,
        slots=partial(_rule_slots, state),
        make=partial(_rule, state),
        reopens=True,
        why_not=over,
    )
    yield Command(
        key="Q",
        label="Seal a secret, or open one",
        word="seal" * going,
        verb="seal",
        group=BATTLE,
        slots=partial(_secret_slots, state),
        make=_secret,
        why_not="" if state.sealed else over,
    )


def _level_slots(state: State, facts: Answers) -> tuple[Slot, ...]:
    sides = [(side.id, f"{side.people}: {state.levels[side.id]}") for side in state.setup.sides]
    whose = Choose(name="side", text="How is the program used?", options=numbered_options(sides))
    if not facts.get("side"):
        return (whose,)
    known, scenario = state.setup.side_by_id[facts["side"]], state.setup.scenario
    cards_only = scenario is not None and scenario.cards_only
    levels: list[tuple[Any, str]] = [
        one for one in LEVELS if not (cards_only and one[0][1] == "die")
    ]
    levels.append(("player", f"Commander: {known.player or 'nobody named'}"))
    text = f"{known.people}: from now on, with a fresh deck or die."
    how = Choose(name="level", options=numbered_options(levels), text=text)
    if facts.get("level") != "player":
        return (whose, how)
    text = f"Who commands {state.setup.the(known.id)}? An empty line leaves it open."
    return (whose, how, Words(name="player", text=text, usual="", longest=20))


def _level(side: str, level: Any, seed: int, player: str = "") -> AnyOrder:
    if level == "player":
        return orders.Command(side=side, player=player)
    name, kind = level
    source = Source(kind, seed if name == "referee" else None)
    return orders.SetLevel(side=side, level=name, source=source)


def _rule_slots(state: State, facts: Answers) -> tuple[Slot, ...]:
    on = {name: getattr(state.options, name) for name in WORDS}
    on |= {kind.state: kind.state in state.toggled for kind in state.setup.toggling.values()}
    rules = [
        (name, f"{WORDS.get(name, name.capitalize())}: {'ON' if is_on else 'off'}")
        for name, is_on in on.items()
    ]
    for side in state.setup.sides:
        quality = state.quality_of(side.id)
        says = f"{side.people}, force quality: {quality.name if quality else 'none'}"
        rules.append((f"quality {side.id}", says))
    what = Choose(
        name="option",
        options=numbered_options(rules),
        text="Choose a rule to turn it on or off from now on. Esc when done.",
    )
    chosen = str(facts.get("option", "")).removeprefix("quality ")
    if chosen not in state.setup.side_by_id:
        return (what,)
    known = state.setup.catalog.qualities.items()
    qualities = [("", "No force quality"), *((name, one.name) for name, one in known)]
    text = f"Force quality: {state.setup.side_by_id[chosen].people}"
    return (what, Choose(name="quality", text=text, options=numbered_options(qualities)))


def _rule(state: State, option: str, quality: str = "") -> AnyOrder:
    if option.startswith("quality "):
        return orders.SetQuality(side=option.removeprefix("quality "), quality=quality or None)
    on = getattr(state.options, option, option in state.toggled)
    return orders.Switch(option=option, on=not on)


def _secret_slots(state: State, facts: Answers) -> tuple[Slot, ...]:
    sides = [
        (
            side.id,
            f"{side.people}: {'open the sealed secret' if side.id in state.sealed else ''}"
            f"{'' if side.id in state.sealed else 'write a secret and seal it'}",
        )
        for side in state.setup.sides
    ]
    text = "A secret stays sealed until its side opens it. The other side looks away now."
    whose = Choose(name="side", options=numbered_options(sides), text=text)
    if not facts.get("side") or facts["side"] in state.sealed:
        return (whose,)
    people = state.setup.side_by_id[facts["side"]].people
    text = f"A secret: {people}. For example, where the hidden men are."
    return (whose, Words(name="text", text=text, longest=LONGEST, secret=True))


def _secret(side: str, text: str = "") -> AnyOrder:
    return orders.Seal(side=side, text=text) if text else orders.Unseal(side)
