"""What can be done in a battle: shots, movement, corrections, the clock; keys made into orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.decide import decide
from skirmish.games.plastic.battle.names import RowName, piece_code, piece_side, row_named, row_side
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.odds import Knowledge, next_weapon, odds, row_of
from skirmish.games.plastic.battle.orders import Again, AnyOrder, Fire, Volley
from skirmish.games.plastic.battle.orders.draws import engineers_of, owed
from skirmish.games.plastic.battle.orders.firing import offered, prepared, same_again
from skirmish.games.plastic.battle.orders.movement import convertible, leaving, servable, waves
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import counted_sides, question, way_out, why_not_exit
from skirmish.games.plastic.board import inside_words
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.shot_page import SEEN, USUAL, chance, seen_words, shot_page
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import (
    MOST,
    Answers,
    Choose,
    Command,
    Confirm,
    Number,
    Option,
    Picks,
    Slot,
    Toggle,
    UnfitAnswer,
    Words,
    numbered_options,
)
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused

FIRE, TURN, MOVEMENT, CORRECTIONS, BATTLE = "Fire", "Turn", "Movement", "Corrections", "Battle"
"""The headings of the help."""
NEW_KIND = "a new kind of unit"
LEVELS = (
    (("referee", "deck"), "Referee: the program draws cards"),
    (("referee", "die"), "Referee: the program rolls a d12"),
    (("clerk", "deck"), "Clerk: you draw cards and type them in"),
    (("clerk", "die"), "Clerk: you roll a d12 and type it in"),
    (("ledger", "deck"), "Ledger: losses and clock only, your cards"),
    (("ledger", "die"), "Ledger: losses and clock only, your d12"),
)
QUESTIONS = {
    "cover": ("IN COVER?", "Is there something in front of {target}: a wall, a hedge, trees?"),
    "hull_down": ("HULL DOWN?", "Can only the top of {target} be seen?"),
    "rear": ("FROM BEHIND?", "Does the shot come from behind {target}?"),
    "close": ("CLOSE?", "Is {target} within {near}? Measure it."),
    "grouped": ("ALONE?", "Does the man aimed at stand alone, with no friend touching him?"),
    "apart": ("TOUCHING?", "Do the two touch each other?"),
}
"""Each thing seen, where one thing is asked at a time: in large letters, and as a question."""
LONGEST = 200
TOO_MANY = "{} is too many: 99 is the most. Esc steps back."
COUNT = Number(name="count", text="How many?", low=1, high=MOST, optional=True, too_many=TOO_MANY)
REACH = replace(COUNT, name="reach", text="How many are in reach?", low=0)

AnyCommand = Command[AnyOrder]


class Sides:
    """What questions about the rows of a battle have in common."""

    def __init__(self, state: State) -> None:
        self.state = state

    def people(self, side: str) -> str:
        return self.state.setup.side_by_id[side].people

    def enemy(self, side: str) -> str:
        return self.state.setup.enemy_of(side).id

    def option(self, row: Row, note: str = "", why_not: str = "", **more: Any) -> Option:
        """A row by its letter; with its block where a side has several of that name."""
        same = sum(other.unit.short == row.unit.short for other in rows(self.state, row.side))
        label = row.unit.short + (f", {row.contingent.name}" if same > 1 else "")
        return Option(
            value=row.key, label=label, key=row.letter, note=note, why_not=why_not, **more
        )

    def options(self, side: str) -> tuple[Option, ...]:
        return tuple(self.option(row) for row in rows(self.state, side))

    def pointed(self, side: str) -> tuple[Option, ...]:
        """Rows that have no letter now: they can be chosen with the mouse."""
        return tuple(replace(option, pointed=True) for option in self.options(side))

    def choose(
        self,
        name: str,
        text: str,
        side: str,
        options: Iterable[Option],
        *,
        tab: bool = True,
        digit: str = "Digits before a letter say how many, the letter who. Esc steps back.",
        usual: str | None = None,
    ) -> Choose:
        unknown = partial(self.no_row, side, tab=tab, digit=digit)
        return Choose(
            name=name, text=text, options=tuple(options), rows=True, usual=usual, unknown=unknown
        )

    def no_row(self, side: str, letter: str, *, tab: bool = False, digit: str = "") -> str:
        """That a side has no row of that letter, with what would name one of the other."""
        if not letter[:1].isalpha():
            return digit
        setup, other = self.state.setup, self.enemy(side)
        says = f"There is no {setup.of(side, f'row {letter}')}"
        if tab and any(row.letter == letter for row in rows(self.state, other)):
            return f"{says}, but {a_unit(setup.of(other, 'one'))}: press Tab, then {letter}."
        return f"{says}."

    def other_side(self, facts: Answers) -> tuple[Toggle, ...]:
        other = self.enemy(facts["side"])
        return (Toggle(name="side", key="tab", label=self.people(other), sets={"side": other}),)


def commands(state: State, knowledge: Knowledge = "full") -> tuple[AnyCommand, ...]:
    """Whatever can be done, and what could if no answer were awaited."""
    over = "The battle is over; Backspace opens it again." if state.outcome else ""
    refusal = waiting_for(state)
    waits = over or (refusal.says if refusal else "")
    return (
        *Shots(state, knowledge).commands(waits),
        *Turn(state).commands(over, waits),
        *Movement(state).commands(waits),
        *_agreements(state, over, waits),
    )


# ------------------------------------------------------------------ shots


class Shots(Sides):
    """A shot or a volley, begun by its first letter or digit; a repeat shot before it."""

    def __init__(self, state: State, knowledge: Knowledge) -> None:
        super().__init__(state)
        self.knowledge: Knowledge = knowledge

    def commands(self, waits: str) -> Iterator[AnyCommand]:
        if isinstance(self.state.ask, RepeatAsk) and not waits:
            yield self.again(self.state.ask)
            yield Command(
                key="escape", label="Stop firing", verb="step_back", make=orders.Hold, group=FIRE
            )
        yield Command(
            label="Fire",
            word="draw",
            verb="draw",
            group=FIRE,
            help="Fire the shot in hand: draw a card",
            slots=self.slots,
            toggles=self.toggles,
            preview=self.preview,
            make=self.shot,
            why_not=waits,
            topic="mode draft",
        )

    def shot(self, **facts: Any) -> Fire:
        order = shot_of(facts)
        assert order is not None
        return order

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        state, shooter = self.state, facts.get("shooter")
        side = row_side(shooter) if shooter else state.firing_side
        foe, count = self.enemy(side), facts.get("count")
        many = "WHO FIRES?" if count is None else f"{count} OF WHICH UNIT FIRE?"
        own, other = (a_unit(state.setup.of(one, "unit")) for one in (side, foe))
        who = self.choose(
            "shooter",
            f"{many}  Choose {own}.",
            side,
            (*self.shooters(side), *self.pointed(foe)),
            tab=False,
        )
        if not shooter:
            return (replace(COUNT, text="How many fire?"), who)
        whom = self.choose(
            "target",
            f"AT WHOM?  Choose {other}.",
            foe,
            self.targets(foe, facts),
            tab=False,
            digit="Choose the target first, then how many are in reach.",
        )
        return (replace(COUNT, text="How many fire?"), who, whom, REACH)

    def shooters(self, side: str) -> Iterator[Option]:
        ledger = self.state.levels[side] == "ledger"
        for row in rows(self.state, side):
            why_not = ""
            if not row.alive and not row.ready_count:
                why_not = f"No {row.unit.name} is left."
            elif ledger:
                why_not = (
                    f"{self.state.setup.the(side, 'The')} record losses only and draw at the "
                    "table. - takes men off, + puts them back, I changes this."
                )
            elif not row.weapons:
                why_not = f"{a_unit(row.unit.name, 'A')} has no weapon."
            note = f"{row.ready_count} can fire" if row.ready_count else "cannot fire now"
            yield self.option(row, note, why_not)

    def targets(self, side: str, facts: Answers) -> Iterator[Option]:
        for row in rows(self.state, side):
            gone = "" if row.alive or row.ready_count else f"No {row.unit.name} is left."
            order = shot_of({**facts, "target": row.key})
            assert order is not None
            note = f"{len(row.on_foot)} there"
            yield self.option(row, note, gone, more=partial(self.likely, order))

    def likely(self, order: Fire | Again) -> str:
        try:
            shot = prepared(self.state, order)
        except Refused:
            return "this cannot hurt it"
        if shot.advice:
            return "the rules say no"
        return chance(odds(self.state, shot.aim, shot.side, self.knowledge))

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        order = shot_of(facts)
        return () if order is None else (*self.weapons(order), *self.seen(order))

    def weapons(self, order: Fire) -> Iterator[Toggle]:
        """The next weapon, where the shooter has several; the next shooter in his place."""
        state, known = self.state, self.state.setup.catalog.weapons
        if weapon := next_weapon(state, order):
            row = find(state, order.shooter)
            names = dict.fromkeys(one.id for one in row.weapons) if row else {}
            named = {name: replace(order, weapon=name) for name in names}
            able = [
                (name, known[name].name)
                for name, one in named.items()
                if not _refused(partial(prepared, state, one))
            ]
            yield Toggle(
                name="weapon",
                key="w",
                label=known[self.in_hand(order) or weapon].name,
                sets={"weapon": weapon},
                mark=order.weapon is not None,
                question="Which weapon?" if len(able) > 1 else "",
                large="WHICH WEAPON?",
                options=numbered_options(able),
            )
        other = row_of(state, order, "shooter")
        if other is not None and isinstance(other.order, Fire) and other.shot is not None:
            by = other.order
            sets: dict[str, Any] = {"shooter": by.shooter, "weapon": None}
            if isinstance(by, Volley):
                sets["count"] = by.count
            label = f"{other.shot.shot.shooter.short} instead"
            yield Toggle(name="by", key="o", label=label, sets=sets)

    def in_hand(self, order: Fire) -> str | None:
        """The weapon that an order would fire."""
        try:
            return prepared(self.state, order).shooting.weapon
        except Refused:
            return order.weapon

    def seen(self, order: Fire | Again) -> Iterator[Toggle]:
        """What eyes see, as far as it could change this shot; asked for only where it changes who
        is hit, or who dies."""
        target = find(self.state, order.target or "")
        near = inches(self.state.setup.catalog.fire.exact_within)
        whom = f"the {target.unit.name}" if target else "the target"
        for name in offered(self.state, order):
            large, asks = QUESTIONS[name]
            yield Toggle(
                name=name,
                key=SEEN[name][0],
                label=seen_words(order, name),
                sets={name: not getattr(order, name)},
                mark=getattr(order, name) != USUAL[name],
                large=large,
                question=asks.format(target=whom, near=near) if self.tells(order, name) else "",
                yes_unmarked=name == "apart",
            )

    def tells(self, order: Fire | Again, name: str) -> bool:
        """Whether a thing seen changes more than the wording."""
        other = replace(order, **{name: not getattr(order, name)})
        before, after = (prepared(self.state, one) for one in (order, other))
        one, two = (
            replace(shot.aim, why=(), exact="yes" if shot.aim.exact else None)
            for shot in (before, after)
        )
        return before.advice != after.advice or one != two

    def preview(self, facts: Answers) -> Page:
        order = shot_of(facts)
        return Page("") if order is None else shot_page(self.state, order, self.knowledge)

    def again(self, ask: RepeatAsk) -> AnyCommand:
        same, foe = same_again(self.state), self.enemy(piece_side(ask.shot.piece))
        assert same is not None
        seen = {name: getattr(same, name) for name in ("cover", "close", "grouped")}

        def order(target: str | None = same.target, confirm: None = None, **seen: bool) -> Again:
            return Again(target=target, **seen)

        def slots(facts: Answers) -> tuple[Slot, ...]:
            options = []
            for row in rows(self.state, foe):
                shot = order(**{**facts, "target": row.key})
                why_not, note = _refused(partial(prepared, self.state, shot)), "there"
                note = f"{len(row.on_foot)} there"
                options.append(self.option(row, note, why_not, more=partial(self.likely, shot)))
            text = f"FIRE AGAIN? (within {inches(ask.within)} of the {ask.of})"
            whom = self.choose("target", text, foe, options, tab=False, usual=same.target)
            return (whom, Confirm(text="Space fires, Esc steps back."))

        def toggles(facts: Answers) -> tuple[Toggle, ...]:
            return tuple(self.seen(order(**facts))) if "target" in facts else ()

        return Command(
            label="Fire again",
            word="fire again",
            verb="draw",
            group=FIRE,
            topic="ask repeat",
            given=seen,
            slots=slots,
            toggles=toggles,
            make=order,
            preview=lambda facts: shot_page(self.state, order(**facts), self.knowledge),
        )


def shot_of(facts: Answers) -> Fire | None:
    """The shot or volley of the answers so far; None while shooter or target is missing."""
    shooter, target = facts.get("shooter"), facts.get("target")
    if shooter is None or target is None:
        return None
    count, reach = facts.get("count"), facts.get("reach")
    seen = {name: facts[name] for name in SEEN if name in facts}
    weapon = facts.get("weapon")
    if count is None and reach is None:
        return Fire(shooter=shooter, target=target, weapon=weapon, **seen)
    count = 1 if count is None else count
    return Volley(shooter=shooter, target=target, weapon=weapon, count=count, reach=reach, **seen)


# ------------------------------------------------------------------ so many of a row


class SoMany(Sides):
    """Orders of one breath: a number if need be, a letter, done. Tab is the other side."""

    def numbered(
        self,
        key: str,
        verb: str,
        help: str,
        *,
        asks: str,
        make: Callable[[str, int], AnyOrder],
        side: str | None = None,
        hint: Callable[[str], str] = lambda _: "",
        either: bool = False,
        new: bool = False,
        **more: Any,
    ) -> AnyCommand:
        """``either``: a letter that the side does not have names a row of the other; ``new``: Enter
        adds a kind of unit that it does not have."""

        def slots(facts: Answers) -> tuple[Slot, ...]:
            own, foe = facts["side"], self.enemy(facts["side"])
            letters = {one.key for one in self.options(own)}
            named = {one.value: one for one in self.options(foe) if one.key not in letters}
            others = [named.get(one.value, one) if either else one for one in self.pointed(foe)]
            row = self.choose(
                "row",
                f"{self.people(own)} {asks} {hint(own)}".rstrip(),
                own,
                (*self.options(own), *others),
                usual=NEW_KIND if new else None,
            )
            if facts.get("row") != NEW_KIND:
                return (COUNT, row)
            text = f"{self.people(own)}: which kind?"
            return (COUNT, row, Choose(name="kind", text=text, options=tuple(self.kinds(own))))

        def made(side: str, row: str, count: int | None = None, kind: str = "") -> AnyOrder:
            number = 1 if count is None else count
            return self.added(side, kind, number) if row == NEW_KIND else make(row, number)

        return Command(
            key=key,
            label=help.partition(":")[0],
            help=help,
            verb=verb,
            given={"side": side or self.enemy(self.state.firing_side)},
            slots=slots,
            toggles=self.other_side,
            make=made,
            **{"topic": f"mode {verb}", **more},
        )

    def kinds(self, side: str) -> Iterator[Option]:
        """Kinds of unit that no row of the side has."""
        setup, letters = self.state.setup, dict[str, str]()
        have = {row.unit.id for row in rows(self.state, side)}
        for unit in setup.catalog.units.values():
            if unit.id not in have and unit.shelf != "scenario":
                letter = setup.free_letter(unit.id, letters)
                letters[letter] = unit.id
                yield Option(value=unit.id, label=unit.short, key=letter)

    def added(self, side: str, kind: str, count: int) -> AnyOrder:
        """To the first group of the side that is on the table."""
        groups = [one for one in self.state.setup.contingents if one.side == side]
        now = (one for one in groups if one.enters <= self.state.clock.turn)
        return orders.Add(row=str(RowName(side, next(now, groups[0]).id, kind)), count=count)


# ------------------------------------------------------------------ the turn, corrections


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
        sides = counted_sides(state)
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
            text=f"{question(state)}: how many for {state.setup.the(side)}?{told}",
            high=999,
        )
        for side in counted_sides(state)
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


# ------------------------------------------------------------------ movement


class Movement(SoMany):
    """Who comes, goes, gets in and out, digs, is served or shown."""

    def commands(self, waits: str) -> Iterator[AnyCommand]:
        state, going, mover = self.state, not waits, self.state.mover
        common: dict[str, Any] = {"group": MOVEMENT, "why_not": waits}
        first = going and state.clock.phase == 1
        due = going and any(wave.now for wave in waves(state))
        own = rows(state, mover)
        checks = not state.movement_over and draws_for_command(state.quality_of(mover))
        yield Command(
            key="M",
            label="A group has moved: draw its command card",
            verb="moved",
            word="moved" * (first and checks),
            make=orders.GroupMoved,
            **common,
        )
        yield self.exit(common, going and why_not_exit(state, mover) is None)
        if state.ask is None and going:
            yield Command(
                key="enter",
                label="Bring on the wave that is due",
                verb="accept",
                group=MOVEMENT,
                make=lambda: whole_wave(state),
                why_not="" if due else "No reinforcements are due.",
            )
        yield self.arrive(common, due)
        yield Command(
            key="V",
            label="Draw on the scenario's table by hand",
            verb="table",
            word="table" * (going and bool(owed(state, state.clock.turn, mover))),
            make=orders.CallTable,
            **common,
        )
        yield self.numbered(
            "S",
            "serve",
            "Refuel or serve: St, S2t",
            asks="are refuelled or served.",
            side=self.unserved(),
            hint=self.service,
            word="serve" * (going and servable(state) > 0),
            make=lambda row, count: orders.Serve(row=row, count=count),
            **common,
        )
        yield self.load(common, going and any(row.unit.seats and row.here for row in own))
        loaded = any(state.riders_of(piece) for row in own for piece in row.here)
        yield self.unload(common, going and loaded)
        hides = next((piece_side(piece) for piece in sorted(state.hidden)), None)
        yield self.numbered(
            "R",
            "reveal",
            "Reveal hidden units: Rr, R3r",
            asks="come out of hiding.",
            side=hides,
            hint=self.hidden,
            word="reveal" * (going and bool(hides)),
            make=lambda row, count: orders.Reveal(row=row, count=count),
            **common,
        )
        able = [side.id for side in state.setup.sides if self.changes(side.id)]
        yield self.numbered(
            "B",
            "leave_gun",
            "Abandon a gun: Bm",
            asks="leave it and fight on as something else.",
            side=able[0] if able else None,
            word="abandon" * (going and bool(able)),
            hint=lambda side: self.changes(side) or "Nobody on this side can do this.",
            make=lambda row, count: orders.Convert(row=row, count=count),
            topic="mode convert",
            **common,
        )
        some, everybody = engineers_of(state, mover)
        who: tuple[Slot, ...] = ()
        if some and not everybody and state.options.entrenching:
            options = (
                Option(value=True, label="an engineer, or a group with one", key="e"),
                Option(value=False, label="a group of four or more", key="g"),
            )
            text = f"{self.people(mover)}: who digs?"
            who = (Choose(name="engineers", text=text, options=options, usual=False),)
        yield Command(
            key="D",
            label="Dig in",
            help="Dig in: draw for it; De with an engineer",
            verb="dig",
            word="dig" * (first and state.options.entrenching),
            slots=who,
            topic="mode digging",
            make=lambda engineers=False: orders.Dig(side=mover, engineers=engineers),
            **common,
        )
        wire = bool(state.works.get(self.enemy(mover), {}).get("barbed_wire"))
        yield Command(
            key="W",
            label="An engineer clears a segment of wire",
            word="wire" * (going and wire),
            verb="wire",
            make=lambda: orders.ClearWire(mover),
            **common,
        )

    def hidden(self, side: str) -> str:
        own = rows(self.state, side)
        found = [f"{row.letter} {row.unit.short} {len(row.hidden)}" for row in own if row.hidden]
        return "Hidden: " + ", ".join(found) if found else "This side has nobody hidden."

    def unserved(self) -> str:
        """The side with somebody to serve; the one that moves, where both have or neither."""
        sides = {piece_side(piece) for piece in self.state.unserved}
        return next(iter(sides)) if len(sides) == 1 else self.state.mover

    def service(self, side: str) -> str:
        if more := servable(self.state):
            return f"{more} more can be served this turn."
        if any(p in self.state.unserved for row in rows(self.state, side) for p in row.here):
            return "None can be served now; press the letter to see why."
        return "Nobody on this side needs service."

    def changes(self, side: str) -> str:
        """``m Machinegun becomes Rifle``."""
        kinds = [(row, convertible(self.state, row)) for row in rows(self.state, side)]
        return ", ".join(
            f"{row.letter} {row.unit.short} becomes {self.state.setup.unit(kind.becomes).short}"
            for row, kind in kinds
            if row.on_foot and kind
        )

    def exit(self, common: dict[str, Any], now: bool) -> AnyCommand:
        state = self.state

        def order(
            row: str, counts: bool, count: int | None = None, piece: str | None = None, **_: Any
        ) -> orders.Exit:
            found = find(state, row)
            if found and not piece and not found.unit.is_guy and count in (None, 1):
                piece = leaving(state, found, 1)[0]
            return orders.Exit(
                row=row, count=1 if count is None else count, piece=piece, counts=counts
            )

        def slots(facts: Answers) -> tuple[Slot, ...]:
            side, count = facts["side"], facts.get("count")
            options = []
            for row in rows(state, side):
                why_not = _refused(partial(leaving, state, row, 1 if count is None else count))
                options.append(self.option(row, f"{len(row.on_foot)} here", why_not))
            who = self.choose("row", f"{self.people(side)} leave the table: who?", side, options)
            return (COUNT, who, Confirm(text="Enter: they leave. Esc steps back."))

        def toggles(facts: Answers) -> tuple[Toggle, ...]:
            if not facts.get("row"):
                return self.other_side(facts)
            counts, row, given = facts["counts"], find(state, facts["row"]), order(**facts)
            where = Toggle(
                name="counts",
                key="o",
                label="where it counts" if counts else "elsewhere",
                sets={"counts": not counts},
                mark=not counts,
            )
            if row is None or not given.piece or len(row.on_foot) < 2:
                return (where,)
            return (where, other_piece(leaving(state, row, len(row.on_foot)), given.piece))

        def preview(facts: Answers) -> Page:
            if not facts.get("row"):
                return Page("")
            out = way_out(state.setup, row_side(facts["row"]))
            where = out if facts["counts"] else "where it does not count"
            says = told(state, order(**facts)) + (f" ({where})" if where else "")
            return Page("", (Paragraph(says, tone="strong"),))

        return Command(
            key="X",
            label="Leave the table",
            help="Leave the table: Xk, Enter; X5r, Enter",
            word="exit" * now,
            verb="exit",
            given={"side": state.mover, "counts": True},
            slots=slots,
            toggles=toggles,
            preview=preview,
            make=order,
            topic="mode leaving",
            **common,
        )

    def load(self, common: dict[str, Any], now: bool) -> AnyCommand:
        state = self.state

        def piece_of(facts: Answers) -> str | None:
            """The model chosen, else the emptiest."""
            row = find(state, facts["carrier"])
            emptiest = sorted(row.here, key=lambda one: len(state.riders_of(one))) if row else []
            return facts.get("piece") or next(iter(emptiest), None)

        def slots(facts: Answers) -> tuple[Slot, ...]:
            side = facts["side"]
            carriers, riders = [], []
            for row in rows(state, side):
                why_not = "" if row.here else f"No {row.unit.name} is on the table."
                if not row.unit.seats:
                    unit = a_unit(row.unit.name, "A")
                    why_not = f"{unit} carries nobody. Choose what carries them first."
                carriers.append(self.option(row, "", why_not))
                riders.append(self.option(row, f"{len(row.on_foot)} on foot"))
            own = a_unit(state.setup.of(side, "model"))
            what = self.choose(
                "carrier",
                f"What carries them? Choose {own}.",
                side,
                carriers,
                digit="Choose what carries them first, then a number and a letter.",
            )
            who = Picks(
                name="riders",
                text="Choose who gets in: a number and a letter.",
                least=1,
                options=tuple(riders),
                unknown=partial(self.no_row, side),
            )
            return (what, who)

        def toggles(facts: Answers) -> tuple[Toggle, ...]:
            if not facts.get("carrier"):
                return self.other_side(facts)
            row, piece = find(state, facts["carrier"]), piece_of(facts)
            return (other_piece(row.here, piece),) if row and piece and len(row.here) > 1 else ()

        def preview(facts: Answers) -> Page:
            row = find(state, facts.get("carrier") or "")
            piece = piece_of(facts) if row else None
            if row is None or piece is None:
                return Page("")
            inside = inside_words(state, piece) or "empty"
            named = [(n, find(state, key)) for key, n in (facts.get("riders") or {}).items()]
            riders = ", ".join(f"{number} {one.unit.short}" for number, one in named if one)
            says = f"{row.unit.short} {piece_code(piece)} ({inside}) takes {riders or 'whom?'}"
            return Page("", (Paragraph(says, tone="strong"),))

        def make(**facts: Any) -> AnyOrder:
            piece = piece_of(facts)
            return orders.Load(carrier=facts["carrier"], riders=facts["riders"], piece=piece)

        return Command(
            key="L",
            label="Load",
            help="Load: Lk10r, Enter; Tab another model",
            verb="load",
            word="load" * now,
            given={"side": state.mover},
            slots=slots,
            toggles=toggles,
            preview=preview,
            make=make,
            topic="mode boarding",
            **common,
        )

    def unload(self, common: dict[str, Any], now: bool) -> AnyCommand:
        def inside(row: Row | None) -> list[tuple[str, str]]:
            """The models that carry somebody, with who it is."""
            here = row.here if row else ()
            every = [(piece, inside_words(self.state, piece)) for piece in here]
            return [(piece, riders) for piece, riders in every if riders]

        def slots(facts: Answers) -> tuple[Slot, ...]:
            side = facts["side"]
            options = [
                self.option(row, " ".join(f"{piece_code(p)} {who}" for p, who in inside(row)))
                for row in rows(self.state, side)
            ]
            every = (*options, *self.pointed(self.enemy(side)))
            what = self.choose("carrier", f"{self.people(side)} get out of what?", side, every)
            loaded = inside(find(self.state, facts.get("carrier") or ""))
            if len(loaded) < 2:
                return (what,)
            which = numbered_options([(p, f"{piece_code(p)}: {who}") for p, who in loaded])
            text = "Which one? Enter takes the first."
            return (what, Choose(name="piece", text=text, options=which, usual=loaded[0][0]))

        return Command(
            key="O",
            label="Unload",
            help="Unload: Ok",
            word="unload" * now,
            verb="unload",
            given={"side": self.state.mover},
            slots=slots,
            topic="mode unloading",
            toggles=lambda facts: () if facts.get("carrier") else self.other_side(facts),
            make=lambda carrier, piece=None, **_: orders.Unload(carrier=carrier, piece=piece),
            **common,
        )

    def arrive(self, common: dict[str, Any], now: bool) -> AnyCommand:
        state = self.state

        def slots(facts: Answers) -> tuple[Slot, ...]:
            side = facts["side"]
            options = []
            for row in rows(state, side):
                many = len(row.waiting)
                why_not = "" if many else f"No {row.unit.name} of that row is left to arrive."
                note = f"{many} to arrive" * bool(many)
                options.append(self.option(row, note, why_not, count=many, most=max(many, 1)))
            due = [wave.contingent.name for wave in waves(state) if wave.contingent.side == side]
            none = "" if due else " This side has no reinforcements to come."
            who = Picks(
                name="units",
                text=f"{(due or [self.people(side)])[0]}: who arrives?{none}",
                options=tuple(options),
                usual={},
                usual_text="the whole wave",
                check=one_wave,
                unknown=partial(self.no_row, side, tab=True),
            )
            return (who,)

        def groups(units: Iterable[str]) -> list[str]:
            named = (row_named(key) for key in units)
            return list(dict.fromkeys(name.contingent for name in named if name))

        def one_wave(units: Iterable[str]) -> None:
            if len(found := groups(units)) > 1:
                later = state.setup.contingent_by_id[found[1]].name
                raise UnfitAnswer(f"One wave at a time: press Enter, then bring on {later}.")

        def make(side: str, units: dict[str, int]) -> AnyOrder:
            if not units:
                return whole_wave(state, side)
            return orders.Enter(contingent=groups(units)[0], units=units)

        return Command(
            key="A",
            label="Bring on part of a wave",
            help="Bring on part of a wave: A5r2m, Enter",
            word="arrive" * now,
            verb="arrive",
            given={"side": state.mover},
            slots=slots,
            toggles=self.other_side,
            make=make,
            topic="mode arriving",
            **common,
        )


def whole_wave(state: State, side: str | None = None) -> orders.Enter:
    """The first wave that is due now, or of a side the next, whole; raises UnfitAnswer."""
    due = [wave for wave in waves(state) if wave.now or side is not None]
    wave = next((one for one in due if side in (None, one.contingent.side)), None)
    if wave is None:
        raise UnfitAnswer("No reinforcements are due.")
    return orders.Enter(contingent=wave.contingent.id)


def other_piece(pieces: Sequence[str], piece: str) -> Toggle:
    """Tab: the model that follows, round and round."""
    at = pieces.index(piece) if piece in pieces else -1
    after = pieces[(at + 1) % len(pieces)]
    return Toggle(name="piece", key="tab", label="another model", sets={"piece": after})


# ------------------------------------------------------------------ what players agree on


def _agreements(state: State, over: str, waits: str) -> Iterator[AnyCommand]:
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
    return (whose, Words(name="text", text=text, longest=LONGEST))


def _secret(side: str, text: str = "") -> AnyOrder:
    return orders.Seal(side=side, text=text) if text else orders.Unseal(side)


# ------------------------------------------------------------------


def told(state: State, order: AnyOrder) -> str:
    """What an order would do, in the words of the journal; or why it would be refused."""
    try:
        events = decide(state, order)
    except Refused as refused:
        return refused.refusal.says
    return narrate(events, state)


def _refused(asked: Callable[[], object]) -> str:
    try:
        asked()
    except Refused as refused:
        return refused.refusal.says
    return ""
