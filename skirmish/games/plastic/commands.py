"""What can be done in a battle: shots, movement, corrections, the clock; keys made into orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace as _with

from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.arrivals import convertible, servable, waves
from skirmish.games.plastic.battle.cargo import leaving
from skirmish.games.plastic.battle.decide import decide, waiting_for
from skirmish.games.plastic.battle.firing import offered, prepared, same_again
from skirmish.games.plastic.battle.names import RowName, piece_code, piece_side, row_named, row_side
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.odds import Knowledge, odds
from skirmish.games.plastic.battle.orders import (
    Add,
    Again,
    AnyOrder,
    CallTable,
    ClearWire,
    Convert,
    Correct,
    Count,
    Dig,
    EndPhase,
    EndTurn,
    Enter,
    Exit,
    Finish,
    Fire,
    GroupMoved,
    Hold,
    Level,
    Load,
    MarkPinned,
    Note,
    PinTest,
    PlayOn,
    Reveal,
    Seal,
    Serve,
    SetClock,
    SetLevel,
    SetQuality,
    Switch,
    Unload,
    Unseal,
    Volley,
)
from skirmish.games.plastic.battle.orders import Command as Commander
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.table_checks import engineers_of
from skirmish.games.plastic.battle.tables import owed
from skirmish.games.plastic.battle.victory import counted_sides, question, why_not_exit
from skirmish.games.plastic.battle.ways_out import way_out
from skirmish.games.plastic.battle.what_if import next_weapon, row_of
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
)
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused

FIRE, TURN, MOVEMENT, CORRECTIONS, BATTLE = "Fire", "Turn", "Movement", "Corrections", "Battle"
"""The headings of the help."""
NEW_KIND = "a new kind of unit"
LEVELS: tuple[tuple[Level, str, str], ...] = (
    ("referee", "deck", "Referee: the program draws cards"),
    ("referee", "die", "Referee: the program rolls a d12"),
    ("clerk", "deck", "Clerk: you draw cards and type them in"),
    ("clerk", "die", "Clerk: you roll a d12 and type it in"),
    ("ledger", "deck", "Ledger: losses and clock only, your cards"),
    ("ledger", "die", "Ledger: losses and clock only, your d12"),
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

AnyCommand = Command[AnyOrder]


def commands(state: State, knowledge: Knowledge = "full") -> tuple[AnyCommand, ...]:
    """Whatever can be done, and what could if no answer were awaited."""
    return tuple(_commands(state, knowledge))


def _commands(state: State, knowledge: Knowledge) -> Iterator[AnyCommand]:
    over = "The battle is over; Backspace opens it again." if state.outcome else ""
    waits = over or _waiting(state)
    going = not waits
    yield from shots(state, knowledge, waits)
    yield from _turn(state, over, going)
    yield from _movement(state, waits, going)
    yield from _checks(state, waits, going)
    yield from _corrections(state, over, going)
    yield from _agreements(state, over, waits, going)


def _waiting(state: State) -> str:
    refusal = waiting_for(state)
    return refusal.says if refusal else ""


# ------------------------------------------------------------------ shots


def shots(state: State, knowledge: Knowledge, waits: str) -> Iterator[AnyCommand]:
    """A shot or a volley, begun by its first letter or digit; a repeat shot before it."""
    if isinstance(state.ask, RepeatAsk) and not waits:
        yield _again(state, state.ask, knowledge)
        yield Command(key="escape", label="Stop firing", verb="step_back", make=Hold, group=FIRE)
    yield Command(
        label="Fire",
        word="draw",
        verb="draw",
        group=FIRE,
        help="Fire the shot in hand: draw a card",
        slots=partial(_shot_slots, state, knowledge),
        toggles=partial(_shot_toggles, state),
        preview=partial(_shot_preview, state, knowledge),
        make=_shot,
        why_not=waits,
        topic="mode draft",
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


def _shot(**facts: Any) -> Fire:
    order = shot_of(facts)
    assert order is not None
    return order


def _shot_slots(state: State, knowledge: Knowledge, facts: Answers) -> tuple[Slot, ...]:
    side = state.firing_side
    if shooter := facts.get("shooter"):
        side = row_side(shooter)
    own, foe = (state.setup.of(one, "unit") for one in (side, _enemy(state, side)))
    many = "WHO FIRES?" if facts.get("count") is None else f"{facts['count']} OF WHICH UNIT FIRE?"
    count = Number(
        name="count",
        text="How many fire?",
        low=1,
        high=MOST,
        optional=True,
        too_many="{} is too many: 99 is the most. Esc steps back.",
    )
    who = Choose(
        name="shooter",
        text=f"{many}  Choose {a_unit(own)}.",
        rows=True,
        options=(*_shooters(state, side), *_pointed(_shooters(state, _enemy(state, side)))),
        unknown=partial(no_row, state, side),
    )
    if not shooter:
        return (count, who)
    whom = Choose(
        name="target",
        text=f"AT WHOM?  Choose {a_unit(foe)}.",
        rows=True,
        options=tuple(_targets(state, knowledge, _enemy(state, side), facts)),
        unknown=partial(_no_target, state, _enemy(state, side)),
    )
    reach = Number(
        name="reach",
        text="How many are in reach?",
        high=MOST,
        optional=True,
        too_many="{} is too many: 99 is the most. Esc steps back.",
    )
    return (count, who, whom, reach)


def _shooters(state: State, side: str) -> Iterator[Option]:
    ledger = state.levels[side] == "ledger"
    for row in rows(state, side):
        why_not = ""
        if not row.alive and not row.ready_count:
            why_not = f"No {row.unit.name} is left."
        elif ledger:
            why_not = (
                f"{state.setup.the(side, 'The')} record losses only and draw at the table. "
                "- takes men off, + puts them back, I changes this."
            )
        elif not row.weapons:
            why_not = f"{a_unit(row.unit.name, 'A')} has no weapon."
        note = f"{row.ready_count} can fire" if row.ready_count else "cannot fire now"
        yield row_option(state, row, note, why_not)


def _targets(state: State, knowledge: Knowledge, side: str, facts: Answers) -> Iterator[Option]:
    for row in rows(state, side):
        gone = "" if row.alive or row.ready_count else f"No {row.unit.name} is left."
        order = shot_of({**facts, "target": row.key})
        assert order is not None
        told = partial(_likely, state, knowledge, order)
        yield row_option(state, row, f"{len(row.on_foot)} there", gone, told)


def _likely(state: State, knowledge: Knowledge, order: Fire | Again) -> str:
    try:
        shot = prepared(state, order)
    except Refused:
        return "this cannot hurt it"
    if shot.advice:
        return "the rules say no"
    return chance(odds(state, shot.aim, shot.side, knowledge))


def _shot_toggles(state: State, facts: Answers) -> tuple[Toggle, ...]:
    order = shot_of(facts)
    return () if order is None else (*_weapons(state, order), *_seen(state, order))


def _weapons(state: State, order: Fire) -> Iterator[Toggle]:
    """The next weapon, where the shooter has several; the next shooter in his place."""
    if weapon := next_weapon(state, order):
        known = state.setup.catalog.weapons
        row = find(state, order.shooter)
        names = dict.fromkeys(one.id for one in row.weapons) if row else {}
        able = [name for name in names if _can(state, order, name)]
        options = tuple(
            Option(value=name, label=known[name].name, key=str(at))
            for at, name in enumerate(able, 1)
        )
        asks = "Which weapon?" if len(able) > 1 else ""
        now = known[_weapon_in_hand(state, order)].name
        yield Toggle(
            name="weapon",
            key="w",
            label=now,
            sets={"weapon": weapon},
            mark=order.weapon is not None,
            question=asks,
            large="WHICH WEAPON?",
            options=options,
        )
    other = row_of(state, order, "shooter")
    if other is not None and isinstance(other.order, Fire) and other.shot is not None:
        by = other.order
        sets: dict[str, Any] = {"shooter": by.shooter, "weapon": None}
        if isinstance(by, Volley):
            sets["count"] = by.count
        yield Toggle(
            name="by", key="o", label=f"{other.shot.shot.shooter.short} instead", sets=sets
        )


def _can(state: State, order: Fire, weapon: str) -> bool:
    try:
        prepared(state, _with(order, weapon=weapon))
    except Refused:
        return False
    return True


def _weapon_in_hand(state: State, order: Fire) -> str:
    try:
        return prepared(state, order).shooting.weapon
    except Refused:
        return order.weapon or next_weapon(state, order) or ""


def _seen(state: State, order: Fire | Again) -> Iterator[Toggle]:
    """What eyes see, as far as it could change this shot; asked for only where it changes who is
    hit, or who dies."""
    target = find(state, order.target or "")
    near = inches(state.setup.catalog.fire.exact_within)
    for name in offered(state, order):
        key, now = SEEN[name][0], getattr(order, name)
        large, asks = QUESTIONS[name]
        asks = asks.format(target=f"the {target.unit.name}" if target else "the target", near=near)
        tells = _tells(state, order, name)
        yield Toggle(
            name=name,
            key=key,
            label=seen_words(order, name),
            sets={name: not now},
            mark=now != USUAL[name],
            large=large,
            question=asks if tells else "",
            yes_unmarked=name == "apart",
        )


def _tells(state: State, order: Fire | Again, name: str) -> bool:
    """Whether a thing seen changes more than the wording."""
    before, after = (
        prepared(state, one) for one in (order, _with(order, **{name: not getattr(order, name)}))
    )
    one, other = (
        _with(shot.aim, why=(), exact="yes" if shot.aim.exact else None) for shot in (before, after)
    )
    return before.advice != after.advice or one != other


def _shot_preview(state: State, knowledge: Knowledge, facts: Answers) -> Page:
    order = shot_of(facts)
    return Page("") if order is None else shot_page(state, order, knowledge)


def _again(state: State, ask: RepeatAsk, knowledge: Knowledge) -> AnyCommand:
    same, side = same_again(state), piece_side(ask.shot.piece)
    assert same is not None
    foe = _enemy(state, side)

    def order(facts: Answers) -> Again:
        seen = {name: facts[name] for name in ("cover", "close", "grouped")}
        return Again(target=facts.get("target"), **seen)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        options = []
        for row in rows(state, foe):
            shot = order({**facts, "target": row.key})
            why_not = _refused(lambda one=shot: prepared(state, one))
            told = partial(_likely, state, knowledge, shot)
            options.append(row_option(state, row, f"{len(row.on_foot)} there", why_not, told))
        text = f"FIRE AGAIN? (within {inches(ask.within)} of the {ask.of})"
        whom = Choose(
            name="target",
            text=text,
            rows=True,
            options=tuple(options),
            usual=same.target,
            unknown=partial(no_row, state, foe),
        )
        return (whom, Confirm(text="Space fires, Esc steps back."))

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        return tuple(_seen(state, order(facts))) if facts.get("target") else ()

    return Command(
        label="Fire again",
        word="fire again",
        verb="draw",
        group=FIRE,
        topic="ask repeat",
        given={"cover": same.cover, "close": same.close, "grouped": same.grouped},
        slots=slots,
        toggles=toggles,
        make=lambda **facts: order(facts),
        preview=lambda facts: shot_page(state, order({"target": same.target, **facts}), knowledge),
    )


# ------------------------------------------------------------------ the turn


def _turn(state: State, over: str, going: bool) -> Iterator[AnyCommand]:
    yield Command(
        key=">",
        label="Next phase",
        word="phase" * going,
        verb="phase",
        group=TURN,
        make=EndPhase,
        why_not=over,
    )
    yield Command(
        key="E",
        label="End this player turn",
        word="end turn" * going,
        verb="end_turn",
        group=TURN,
        make=EndTurn,
        why_not=over,
    )
    clock = state.clock

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        side, phase = facts["side"], facts["phase"]
        after = phase % len(PHASES) + 1
        return (
            Toggle(
                name="side",
                key="tab",
                label=f"{people(state, side)} to move",
                sets={"side": _enemy(state, side)},
                mark=side != clock.side,
            ),
            Toggle(
                name="phase",
                key="p",
                label=f"phase {phase}, {PHASES[phase].lower()}",
                sets={"phase": after},
                mark=phase != clock.phase,
            ),
        )

    turn = Number(
        name="turn",
        text="Which turn is it? Only the clock changes: no deck is shuffled, "
        "and no casualty returns.",
        high=MOST,
        usual=clock.turn,
    )
    yield Command(
        key="T",
        label="Set turn, side and phase",
        word="clock" * going,
        verb="clock",
        group=TURN,
        given={"side": clock.side, "phase": clock.phase},
        slots=(turn,),
        toggles=toggles,
        make=SetClock,
        why_not=over,
        topic="mode clocking",
    )


# ------------------------------------------------------------------ movement


def _movement(state: State, waits: str, going: bool) -> Iterator[AnyCommand]:
    mover = state.mover
    quality = state.clock.phase == 1 and not state.movement_over
    quality = quality and draws_for_command(state.quality_of(mover))
    due = any(wave.now for wave in waves(state))
    own = rows(state, mover)
    carriers = any(row.unit.seats and row.here for row in own)
    loaded = any(state.riders_of(piece) for row in own for piece in row.here)
    yield Command(
        key="M",
        label="A group has moved: draw its command card",
        word="moved" * (going and quality),
        verb="moved",
        group=MOVEMENT,
        make=GroupMoved,
        why_not=waits,
    )
    yield _exit(state, waits, going and why_not_exit(state, mover) is None)
    if state.ask is None and not waits:
        yield Command(
            key="enter",
            label="Bring on the wave that is due",
            verb="accept",
            group=MOVEMENT,
            make=lambda: whole_wave(state),
            why_not="" if due else "No reinforcements are due.",
        )
    yield _arrive(state, waits, going and due)
    yield Command(
        key="V",
        label="Draw on the scenario's table by hand",
        verb="table",
        group=MOVEMENT,
        word="table" * (going and bool(owed(state, state.clock.turn, mover))),
        make=CallTable,
        why_not=waits,
    )
    yield _numbered(
        state,
        "S",
        "serve",
        "Refuel or serve: St, S2t",
        MOVEMENT,
        waits,
        asks="are refuelled or served.",
        side=_unserved(state),
        hint=_service(state),
        word="serve" * (going and servable(state) > 0),
        make=lambda row, count: Serve(row=row, count=count),
    )
    yield _load(state, waits, going and carriers)
    yield _unload(state, waits, going and loaded)
    yield _numbered(
        state,
        "R",
        "reveal",
        "Reveal hidden units: Rr, R3r",
        MOVEMENT,
        waits,
        asks="come out of hiding.",
        side=_hiding(state),
        hint=_hidden,
        word="reveal" * (going and bool(state.hidden)),
        make=lambda row, count: Reveal(row=row, count=count),
    )
    able = [side.id for side in state.setup.sides if list(_changes(state, side.id))]
    yield _numbered(
        state,
        "B",
        "leave_gun",
        "Abandon a gun: Bm",
        MOVEMENT,
        waits,
        asks="leave it and fight on as something else.",
        side=able[0] if able else None,
        hint=lambda state, side: (
            ", ".join(_changes(state, side)) or "Nobody on this side can do this."
        ),
        word="abandon" * (going and bool(able)),
        topic="convert",
        make=lambda row, count: Convert(row=row, count=count),
    )


def whole_wave(state: State, side: str | None = None) -> Enter:
    """The first wave that is due now, or of a side the next, whole; raises UnfitAnswer."""
    due = [wave for wave in waves(state) if wave.now or side is not None]
    wave = next((one for one in due if side in (None, one.contingent.side)), None)
    if wave is None:
        raise UnfitAnswer("No reinforcements are due.")
    return Enter(contingent=wave.contingent.id)


def _numbered(
    state: State,
    key: str,
    verb: str,
    help: str,
    group: str,
    why_not: str,
    *,
    asks: str,
    side: str | None,
    make: Callable[[str, int], AnyOrder],
    hint: Callable[[State, str], str] = lambda *_: "",
    word: str = "",
    either: bool = False,
    new: bool = False,
    topic: str = "",
) -> AnyCommand:
    """So many of a row: ``3r``; Tab is the other side. ``either``: a letter that the side does not
    have names a row of the other; ``new``: Enter adds a kind of unit that it does not have."""

    def slots(facts: Answers) -> tuple[Slot, ...]:
        own, foe = facts["side"], _enemy(state, facts["side"])
        here = [row_option(state, row) for row in rows(state, own)]
        letters = {one.key for one in here}
        others = [row_option(state, row) for row in rows(state, foe)]
        named = [one for one in others if either and one.key not in letters]
        pointed = _pointed(one for one in others if one not in named)
        said = hint(state, own)
        count = Number(
            name="count",
            text="How many?",
            optional=True,
            high=MOST,
            too_many="{} is too many: 99 is the most. Esc steps back.",
        )
        row = Choose(
            name="row",
            text=f"{people(state, own)} {asks} {said}".rstrip(),
            rows=True,
            options=(*here, *named, *pointed),
            usual=NEW_KIND if new else None,
            unknown=partial(no_row, state, own, tab=True),
        )
        if facts.get("row") != NEW_KIND:
            return (count, row)
        kinds = tuple(
            Option(value=unit, label=state.setup.unit(unit).short, key=letter)
            for letter, unit in _kinds(state, own).items()
        )
        return (
            count,
            row,
            Choose(name="kind", text=f"{people(state, own)}: which kind?", options=kinds),
        )

    def made(side: str, row: str, count: int | None = None, kind: str = "") -> AnyOrder:
        number = 1 if count is None else count
        if row != NEW_KIND:
            return make(row, number)
        groups = [one for one in state.setup.contingents if one.side == side]
        now = (one for one in groups if one.enters <= state.clock.turn)
        group = next(now, groups[0])
        return Add(row=str(RowName(side, group.id, kind)), count=number)

    return Command(
        key=key,
        label=help.partition(":")[0],
        help=help,
        verb=verb,
        group=group,
        word=word,
        why_not=why_not,
        given={"side": side or _enemy(state, state.firing_side)},
        slots=slots,
        toggles=partial(_side_toggle, state),
        make=made,
        topic=f"mode {topic or verb}",
    )


def _kinds(state: State, side: str) -> dict[str, str]:
    """Kinds of unit by letter: those of the book that no row of the side has."""
    have = {row.unit.id for row in rows(state, side)}
    found: dict[str, str] = {}
    for unit in state.setup.catalog.units.values():
        if unit.id not in have and unit.shelf != "scenario":
            found[state.setup.free_letter(unit.id, found)] = unit.id
    return found


def _hiding(state: State) -> str | None:
    return next((piece_side(piece) for piece in sorted(state.hidden)), None)


def _hidden(state: State, side: str) -> str:
    found = [
        f"{row.letter} {row.unit.short} {len(row.hidden)}"
        for row in rows(state, side)
        if row.hidden
    ]
    return "Hidden: " + ", ".join(found) if found else "This side has nobody hidden."


def _unserved(state: State) -> str | None:
    """The side with somebody to serve; the one that moves, where both have or neither."""
    sides = {piece_side(piece) for piece in state.unserved}
    return next(iter(sides)) if len(sides) == 1 else state.mover


def _service(state: State) -> Callable[[State, str], str]:
    def hint(state: State, side: str) -> str:
        if more := servable(state):
            return f"{more} more can be served this turn."
        if any(piece in state.unserved for row in rows(state, side) for piece in row.here):
            return "None can be served now; press the letter to see why."
        return "Nobody on this side needs service."

    return hint


def _changes(state: State, side: str) -> Iterator[str]:
    for row in rows(state, side):
        if row.on_foot and (kind := convertible(state, row)):
            becomes = state.setup.unit(kind.becomes).short
            yield f"{row.letter} {row.unit.short} becomes {becomes}"


def _exit(state: State, waits: str, now: bool) -> AnyCommand:
    def piece_of(facts: Answers) -> str | None:
        """The model that leaves, where it is one."""
        row = find(state, facts["row"])
X
        return leaving(state, row, 1)[0]

    def order(facts: Answers) -> Exit:
        count = facts.get("count")
        return Exit(
            row=facts["row"],
            count=1 if count is None else count,
            piece=piece_of(facts),
            counts=facts["counts"],
        )

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side, count = facts["side"], facts.get("count")
        options = [
            row_option(
                state,
                row,
                f"{len(row.on_foot)} here",
                _refused(lambda row=row: leaving(state, row, 1 if count is None else count)),
            )
            for row in rows(state, side)
        ]
        number = Number(
            name="count",
            text="How many?",
            optional=True,
            high=MOST,
            too_many="{} is too many: 99 is the most. Esc steps back.",
        )
        who = Choose(
            name="row",
            text=f"{people(state, side)} leave the table: who?",
            rows=True,
            options=tuple(options),
            unknown=partial(no_row, state, side, tab=True),
        )
        return (number, who, Confirm(text="Enter: they leave. Esc steps back."))

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        if not facts.get("row"):
            return _side_toggle(state, facts)
        found = [
            Toggle(
                name="counts",
                key="o",
                mark=not facts["counts"],
                label="where it counts" if facts["counts"] else "elsewhere",
                sets={"counts": not facts["counts"]},
            )
        ]
        row, piece = find(state, facts["row"]), piece_of(facts)
        if row is not None and piece and len(row.on_foot) > 1:
            every = leaving(state, row, len(row.on_foot))
            found.append(_other_piece(every, piece))
        return tuple(found)

    def preview(facts: Answers) -> Page:
        if not facts.get("row"):
            return Page("")
        out = way_out(state.setup, row_side(facts["row"]))
        where = f" ({out})" if out else ""
        where = where if facts["counts"] else " (where it does not count)"
        return Page("", (Paragraph(told(state, order(facts)) + where, tone="strong"),))

    return Command(
        key="X",
        label="Leave the table",
        help="Leave the table: Xk, Enter; X5r, Enter",
        word="exit" * now,
        verb="exit",
        group=MOVEMENT,
        why_not=waits,
        given={"side": state.mover, "counts": True, "piece": None},
        slots=slots,
        toggles=toggles,
        preview=preview,
        make=lambda **facts: order(facts),
        topic="mode leaving",
    )


def _load(state: State, waits: str, now: bool) -> AnyCommand:
    def piece_of(facts: Answers) -> str | None:
        row = find(state, facts["carrier"])
        if facts["piece"] or row is None or not row.here:
            return facts["piece"]
        return min(row.here, key=lambda piece: len(state.riders_of(piece)))

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        carriers = []
        for row in rows(state, side):
            why_not = "" if row.here else f"No {row.unit.name} is on the table."
            if not row.unit.seats:
                unit = a_unit(row.unit.name, "A")
                why_not = f"{unit} carries nobody. Choose what carries them first."
            carriers.append(row_option(state, row, "", why_not))
        own = a_unit(state.setup.of(side, "model"))
        what = Choose(
            name="carrier",
            text=f"What carries them? Choose {own}.",
            rows=True,
            options=tuple(carriers),
            unknown=partial(_no_carrier, state, side),
        )
        riders = Picks(
            name="riders",
            text="Choose who gets in: a number and a letter.",
            least=1,
            options=tuple(
                row_option(state, row, f"{len(row.on_foot)} on foot") for row in rows(state, side)
            ),
            unknown=partial(no_row, state, side),
        )
        return (what, riders)

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        carrier = facts.get("carrier")
        if not carrier:
            return _side_toggle(state, facts)
        row, piece = find(state, carrier), piece_of(facts)
        more = row is not None and piece and len(row.here) > 1
        return (_other_piece(row.here, piece),) if row and piece and more else ()

    def preview(facts: Answers) -> Page:
        if not facts.get("carrier"):
            return Page("")
        row, piece = find(state, facts["carrier"]), piece_of(facts)
        if row is None or piece is None:
            return Page("")
        inside = inside_words(state, piece) or "empty"
        riders = ", ".join(
            f"{count} {one.unit.short}"
            for key, count in (facts.get("riders") or {}).items()
            if (one := find(state, key))
        )
        says = f"{row.unit.short} {piece_code(piece)} ({inside}) takes {riders or 'whom?'}"
        return Page("", (Paragraph(says, tone="strong"),))

    def make(carrier: str, riders: dict[str, int], piece: str | None, **_: Any) -> AnyOrder:
        return Load(
            carrier=carrier, riders=riders, piece=piece_of({"carrier": carrier, "piece": piece})
        )

    return Command(
        key="L",
        label="Load",
        help="Load: Lk10r, Enter; Tab another model",
        word="load" * now,
        verb="load",
        group=MOVEMENT,
        why_not=waits,
        given={"side": state.mover, "piece": None},
        slots=slots,
        toggles=toggles,
        preview=preview,
        make=make,
        topic="mode boarding",
    )


def _unload(state: State, waits: str, now: bool) -> AnyCommand:
    def loaded(key: str) -> list[str]:
        row = find(state, key)
        return [piece for piece in row.here if state.riders_of(piece)] if row else []

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        options = [row_option(state, row, inside_of(row)) for row in rows(state, side)]
        others = [row_option(state, row) for row in rows(state, _enemy(state, side))]
        what = Choose(
            name="carrier",
            text=f"{people(state, side)} get out of what?",
            rows=True,
            options=(*options, *_pointed(others)),
            unknown=partial(no_row, state, side, tab=True),
        )
        pieces = loaded(facts["carrier"]) if facts.get("carrier") else []
        if len(pieces) < 2:
            return (what,)
        which = tuple(
            Option(
                value=piece, label=piece_code(piece), key=str(nth), note=inside_words(state, piece)
            )
            for nth, piece in enumerate(pieces, 1)
        )
        return (what, Choose(name="piece", text="Which one?", options=which, usual=pieces[0]))

    def inside_of(row: Row) -> str:
        return " ".join(
            f"{piece_code(piece)} {inside_words(state, piece)}" for piece in loaded(row.key)
        )

    return Command(
        key="O",
        label="Unload",
        help="Unload: Ok",
        word="unload" * now,
        verb="unload",
        group=MOVEMENT,
        why_not=waits,
        given={"side": state.mover},
        slots=slots,
        toggles=lambda facts: () if facts.get("carrier") else _side_toggle(state, facts),
        make=lambda carrier, piece=None, **_: Unload(carrier=carrier, piece=piece),
        topic="mode unloading",
    )


def _arrive(state: State, waits: str, now: bool) -> AnyCommand:
    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        options = []
        for row in rows(state, side):
            many = len(row.waiting)
            why_not = "" if many else f"No {row.unit.name} of that row is left to arrive."
            options.append(
                Option(
                    value=row.key,
                    label=row.unit.short,
                    key=row.letter,
                    note=f"{many} to arrive" * bool(many),
                    why_not=why_not,
                    count=many,
                    most=max(many, 1),
                )
            )
        due = [wave for wave in waves(state) if wave.contingent.side == side]
        name = due[0].contingent.name if due else people(state, side)
        none = "" if due else " This side has no reinforcements to come."
        who = Picks(
            name="units",
            text=f"{name}: who arrives?{none}",
            options=tuple(options),
            usual={},
            usual_text="the whole wave",
            check=_one_wave,
            unknown=partial(no_row, state, side, tab=True),
        )
        return (who,)

    def _one_wave(units: Any) -> None:
        named = [name for key in units if (name := row_named(key))]
        if any(one.contingent != named[0].contingent for one in named):
            wrong = next(one for one in named if one.contingent != named[0].contingent)
            later = state.setup.contingent_by_id[wrong.contingent].name
            raise UnfitAnswer(f"One wave at a time: press Enter, then bring on {later}.")

    def make(side: str, units: dict[str, int]) -> AnyOrder:
        if not units:
            return whole_wave(state, side)
        first = row_named(next(iter(units)))
        return Enter(contingent=first.contingent if first else "", units=units)

    return Command(
        key="A",
        label="Bring on part of a wave",
        help="Bring on part of a wave: A5r2m, Enter",
        word="arrive" * now,
        verb="arrive",
        group=MOVEMENT,
        why_not=waits,
        given={"side": state.mover},
        slots=slots,
        toggles=partial(_side_toggle, state),
        make=make,
        topic="mode arriving",
    )


# ------------------------------------------------------------------ checks and counts


def _checks(state: State, waits: str, going: bool) -> Iterator[AnyCommand]:
    mover, foe = state.mover, _enemy(state, state.mover)
    some, everybody = engineers_of(state, mover)
    digs = state.options.entrenching
    who: tuple[Slot, ...] = ()
    if some and not everybody and digs:
        options = (
            Option(value=True, label="an engineer, or a group with one", key="e"),
            Option(value=False, label="a group of four or more", key="g"),
        )
        text = f"{people(state, mover)}: who digs?"
        who = (Choose(name="engineers", text=text, options=options, usual=False),)
    yield Command(
        key="D",
        label="Dig in",
        help="Dig in: draw for it; De with an engineer",
        verb="dig",
        word="dig" * (going and digs and state.clock.phase == 1),
        group=MOVEMENT,
        slots=who,
        make=lambda engineers=False: Dig(side=mover, engineers=engineers),
        why_not=waits,
        topic="mode digging",
    )
    wire = bool(state.works.get(foe, {}).get("barbed_wire"))
    yield Command(
        key="W",
        label="An engineer clears a segment of wire",
        word="wire" * (going and wire),
        verb="wire",
        group=MOVEMENT,
        make=lambda: ClearWire(mover),
        why_not=waits,
    )
    sides = counted_sides(state)
    nothing = "" if sides else "Nothing is counted in this battle."
    yield Command(
        key="C",
        label="Enter what you count on the table for victory",
        verb="count",
        word="count" * (going and bool(sides)),
        group=MOVEMENT,
        why_not=waits or nothing,
        slots=count_slots(state),
        make=counted,
        topic="mode counting",
    )
    shot_at = _enemy(state, state.firing_side)
    yield Command(
        key="K",
        label="Draw a pin test for the side under fire",
        verb="pin_test",
        group=FIRE,
        word="pin test" * (going and state.options.pinning),
        make=lambda: PinTest(shot_at),
        why_not=waits,
    )
    yield _numbered(
        state,
        "*",
        "pins",
        "Take a pin off a row, or put one on: *r",
        FIRE,
        waits,
        asks="are pinned, or no longer.",
        side=mover,
        either=True,
        hint=lambda *_: "A row with a pin loses it; another is marked as pinned.",
        word="pins" * (going and bool(state.pinned)),
        make=lambda row, _: MarkPinned(row),
        topic="pinned",
    )


def counted(**values: int) -> Count:
    """What was counted for each side."""
    return Count(values=values)


def count_slots(state: State) -> tuple[Slot, ...]:
    """A number for each side that something is counted for."""
    last = state.counted
    told = ""
    if last:
        numbers = ", ".join(f"{people(state, side)} {n}" for side, n in last.values.items())
        told = f" (Turn {last.clock.turn}: {numbers}.)"
    return tuple(
        Number(
            name=side,
            text=f"{question(state)}: how many for {state.setup.the(side)}?{told}",
            high=999,
        )
        for side in counted_sides(state)
    )


# ------------------------------------------------------------------ corrections


def _corrections(state: State, over: str, going: bool) -> Iterator[AnyCommand]:
    yield _numbered(
        state,
        "-",
        "lost",
        "Take off losses without a shot: -3r; Tab other side",
        CORRECTIONS,
        over,
        asks="are taken off without a shot.",
        side=None,
        either=True,
        word="lost" * going,
        make=lambda row, count: Correct(row=row, by=-count),
    )
    yield _numbered(
        state,
        "+",
        "men_back",
        "Put men back, or add new ones: +r; + Enter a new kind",
        CORRECTIONS,
        over,
        asks="stand again. Enter: a kind of unit that this side does not have.",
        side=None,
        either=True,
        new=True,
        make=lambda row, count: Correct(row=row, by=count),
        topic="back",
    )


# ------------------------------------------------------------------ what players agree on


def _agreements(state: State, over: str, waits: str, going: bool) -> Iterator[AnyCommand]:
    yield Command(
        key="N",
        label="Write a note into the journal",
        word="note",
        verb="note",
        group=BATTLE,
        slots=(Words(name="text", text="Note: it goes into the journal.", longest=LONGEST),),
        make=Note,
    )
    yield _levels(state, over, going)
    yield _rules(state, over, going)
    yield _secrets(state, over, going)
    yield finish(state, going)


def _levels(state: State, over: str, going: bool) -> AnyCommand:
    sides = tuple(
        Option(value=side.id, label=f"{side.people}: {state.levels[side.id]}", key=str(nth))
        for nth, side in enumerate(state.setup.sides, 1)
    )
    scenario = state.setup.scenario
    cards_only = scenario is not None and scenario.cards_only
    levels = [one for one in LEVELS if not (cards_only and one[1] == "die")]

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = Choose(name="side", text="How is the program used?", options=sides)
        if not facts.get("side"):
            return (side,)
        known = state.setup.side_by_id[facts["side"]]
        options = [Option(value=one, label=one[2], key=str(n)) for n, one in enumerate(levels, 1)]
        options.append(
            Option(
                value="player",
                key=str(len(levels) + 1),
                label=f"Commander: {known.player or 'nobody named'}",
            )
        )
        how = Choose(
            name="level",
            options=tuple(options),
            text=f"{known.people}: from now on, with a fresh deck or die.",
        )
        if facts.get("level") != "player":
            return (side, how)
        name = Words(
            name="player",
            text=f"Who commands {state.setup.the(side=known.id)}? An empty line leaves it open.",
            usual="",
            longest=20,
        )
        return (side, how, name)

    def make(side: str, level: Any, seed: int, player: str = "") -> AnyOrder:
        if level == "player":
            return Commander(side=side, player=player)
        name, kind, _ = level
        source = Source("die" if kind == "die" else "deck", seed if name == "referee" else None)
        return SetLevel(side=side, level=name, source=source)

    return Command(
        key="I",
        label="Who draws on each side, and its commander's name",
        word="levels" * going,
        verb="levels",
        group=BATTLE,
        slots=slots,
        make=make,
        seeded=True,
        why_not=over,
    )


def _rules(state: State, over: str, going: bool) -> AnyCommand:
    labels = [
        (name, f"{words}: {'ON' if getattr(state.options, name) else 'off'}")
        for name, words in WORDS.items()
    ]
    labels += [
        (kind.state, f"{kind.state.capitalize()}: {'ON' if kind.state in state.toggled else 'off'}")
        for kind in state.setup.toggling.values()
    ]
    for side in state.setup.sides:
        quality = state.quality_of(side.id)
        name = quality.name if quality else "none"
        labels.append((f"quality {side.id}", f"{side.people}, force quality: {name}"))
    options = tuple(
        Option(value=value, label=label, key=str(nth) if nth < 10 else "")
        for nth, (value, label) in enumerate(labels, 1)
    )

    def slots(facts: Answers) -> tuple[Slot, ...]:
        what = Choose(
            name="option",
            options=options,
            label="Optional rules",
            text="Choose a rule to turn it on or off from now on. Esc when done.",
        )
        side = str(facts.get("option", "")).removeprefix("quality ")
        if side not in state.setup.side_by_id:
            return (what,)
        known = state.setup.catalog.qualities
        found = [("", "No force quality"), *((name, one.name) for name, one in known.items())]
        qualities = tuple(
            Option(value=value, label=label, key=str(nth))
            for nth, (value, label) in enumerate(found, 1)
        )
        text = f"Force quality: {people(state, side)}"
        return (what, Choose(name="quality", text=text, options=qualities))

    def make(option: str, quality: str = "") -> AnyOrder:
        if option.startswith("quality "):
            return SetQuality(side=option.partition(" ")[2], quality=quality or None)
        on = getattr(state.options, option, option in state.toggled)
        return Switch(option=option, on=not on)

    return Command(
        key="Z",
        label="Turn optional rules and force quality on or off",
        word="rules" * going,
        verb="rules",
        group=BATTLE,
        slots=slots,
        make=make,
        reopens=True,
        why_not=over,
    )


def _secrets(state: State, over: str, going: bool) -> AnyCommand:
    options = tuple(
        Option(
            value=side.id,
            key=str(nth),
            label=f"{side.people}: open the sealed secret"
            if side.id in state.sealed
            else f"{side.people}: write a secret and seal it",
        )
        for nth, side in enumerate(state.setup.sides, 1)
    )

    def slots(facts: Answers) -> tuple[Slot, ...]:
        whose = Choose(
            name="side",
            options=options,
            text="A secret stays sealed until its side opens it. The other side looks away now.",
        )
        if not facts.get("side") or facts["side"] in state.sealed:
            return (whose,)
        text = f"A secret: {people(state, facts['side'])}. For example, where the hidden men are."
        return (whose, Words(name="text", text=text, longest=LONGEST))

    def make(side: str, text: str = "") -> AnyOrder:
        return Seal(side=side, text=text) if text else Unseal(side)

    return Command(
        key="Q",
        label="Seal a secret, or open one",
        word="seal" * going,
        verb="seal",
        group=BATTLE,
        slots=slots,
        make=make,
        why_not="" if state.sealed else over,
    )


def finish(state: State, going: bool) -> AnyCommand:
    """Who won; after the end, whether the players go on."""
    if state.outcome is not None:
        options = (Option(value="on", label="Play on anyway", key="1"),)
        slot = Choose(
            name="winner", text=f"The battle is over. {state.outcome.reason}", options=options
        )
        return Command(
            key="F",
            label="Play on",
            word="finish",
            verb="finish",
            group=TURN,
            slots=(slot,),
            make=lambda **_: PlayOn(),
        )
    return Command(
        key="F",
        label="Say who won",
        word="finish",
        verb="finish",
        group=TURN,
        slots=(who_won(state),),
        make=lambda winner: Finish(winner=winner or None),
    )


def who_won(state: State) -> Choose:
    """A side, or nobody."""
    sides = [
        Option(value=side.id, label=f"{side.people} win", key=str(nth))
        for nth, side in enumerate(state.setup.sides, 1)
    ]
    draw = Option(value="", label="Nobody: a draw", key=str(len(sides) + 1))
    return Choose(name="winner", text=f"Who won? {state.setup.victory}", options=(*sides, draw))


# ------------------------------------------------------------------ rows


def row_option(
    state: State, row: Row, note: str = "", why_not: str = "", more: Callable[[], str] | None = None
) -> Option:
    same = sum(other.unit.short == row.unit.short for other in rows(state, row.side))
    label = row.unit.short + (f", {row.contingent.name}" if same > 1 else "")
    return Option(value=row.key, label=label, key=row.letter, note=note, why_not=why_not, more=more)


def _pointed(options: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(_with(option, pointed=True) for option in options)


def no_row(state: State, side: str, letter: str, *, tab: bool = False) -> str:
    """That a side has no row of that letter, with what would name one of the other."""
    if not letter.isalpha():
        return "Digits before a letter say how many, the letter who. Esc steps back."
    says = f"There is no {state.setup.of(side, f'row {letter}')}"
    other = _enemy(state, side)
    if tab and any(row.letter == letter for row in rows(state, other)):
        return f"{says}, but {a_unit(state.setup.of(other, 'one'))}: press Tab, then {letter}."
    return f"{says}."


def _no_target(state: State, side: str, letter: str) -> str:
    if letter.isdigit():
        return "Choose the target first, then how many are in reach."
    return no_row(state, side, letter)


def _no_carrier(state: State, side: str, letter: str) -> str:
    if letter.isdigit():
        return "Choose what carries them first, then a number and a letter."
    return no_row(state, side, letter, tab=True)


def _side_toggle(state: State, facts: Answers) -> tuple[Toggle, ...]:
    other = _enemy(state, facts["side"])
    return (Toggle(name="side", key="tab", label=people(state, other), sets={"side": other}),)


def _other_piece(pieces: Sequence[str], piece: str) -> Toggle:
    at = pieces.index(piece) if piece in pieces else -1
    after = pieces[(at + 1) % len(pieces)]
    return Toggle(name="piece", key="tab", label="another model", sets={"piece": after})


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


def people(state: State, side: str) -> str:
    return state.setup.side_by_id[side].people


def _enemy(state: State, side: str) -> str:
    return state.setup.enemy_of(side).id
