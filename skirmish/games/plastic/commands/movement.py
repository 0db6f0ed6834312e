"""Entering, exiting, loading, unloading, digging, serving and revealing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import piece_code, piece_side, row_named, row_side
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, decide
from skirmish.games.plastic.battle.orders.draws import engineers_of, owed
from skirmish.games.plastic.battle.orders.turn import convertible, leaving, servable, waves
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import kind_of, way_out
from skirmish.games.plastic.board import inside_words
from skirmish.games.plastic.commands.sides import (
    COUNT,
    MOVEMENT,
    AnyCommand,
    Parts,
    Sides,
    key,
    numbered_options,
    refused,
)
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    Confirm,
    Option,
    Picks,
    Slot,
    UnfitAnswer,
    fewer,
)


@key("M", "moved", MOVEMENT, orders.GroupMoved, "Draw the command card of a group that has moved")
def moved(at: Sides) -> Parts:
    checks = draws_for_command(at.state.quality_of(at.mover))
    return {"now": _moves(at) and not at.state.movement_over and checks}


def _moves(at: Sides) -> bool:
    return at.state.clock.phase == 1


# ------------------------------------------------------------------ onto the table and off it


@key("X", "exit", MOVEMENT, orders.Exit, "Leave the table: Xk, Enter; X5r, Enter")
def leave(at: Sides) -> Parts:
    state = at.state

    def order(
        row: str,
        counts: bool,
        count: int | None = None,
        piece: str | None = None,
        fewer: int | None = None,
        **_: Any,
    ) -> orders.Exit:
        found = find(state, row)
        count = fewer or count
        if found and not piece and not found.unit.is_guy and count in (None, 1):
            piece = leaving(state, found, 1)[0]
        return orders.Exit(row=row, count=1 if count is None else count, piece=piece, counts=counts)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side, count = facts["side"], facts.get("count")
        options = []
        for row in rows(state, side):
            able = 1 if count is None else min(count, max(len(row.on_foot), 1))
            why_not = refused(partial(leaving, state, row, able))
            options.append(at.option(row, f"{len(row.on_foot)} here", why_not))
        who = at.choose("row", f"Who leaves the table? {at.people(side)}.", side, options)
        leaver = find(state, facts.get("row") or "")
        if leaver is not None and leaver.on_foot:
            short = fewer("fewer", count, len(leaver.on_foot))
            if short is not None:
                return (COUNT, who, short, Confirm())
        return (COUNT, who, Confirm())

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        if not facts.get("row"):
            return at.other_side(facts)
        counts, row, given = facts["counts"], find(state, facts["row"]), order(**facts)
        where = Toggle(
            name="counts",
            key="o",
            label="where it counts" if counts else "elsewhere",
            sets={"counts": not counts},
            mark=not counts,
        )
        able = leaving(state, row, len(row.on_foot)) if row and given.piece else ()
        return (where, other_piece(able, given.piece or "")) if len(able) > 1 else (where,)

    def preview(facts: Answers) -> Page:
        if not facts.get("row"):
            return Page("")
        out = way_out(state.setup, row_side(facts["row"]))
        where = out if facts["counts"] else "where it does not count"
        try:
            text = narrate(decide(state, order(**facts)), state)
        except Refused as refused:
            text, where = str(refused), ""
        text = f"{text.removesuffix('.')} ({where})." if where else text
        return Page("", (Paragraph(text, tone="strong"),))

    return {
        "given": {"side": at.mover, "counts": True},
        "slots": slots,
        "toggles": toggles,
        "preview": preview,
        "make": order,
        "now": at.mover in kind_of(state).exiting,
    }


@key("A", "arrive", MOVEMENT, orders.Enter, "Bring on part of a wave: A5r2m, Enter")
def arrive(at: Sides) -> Parts:
    state = at.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        options = []
        for row in rows(state, side):
            many = len(row.waiting)
            why_not = "" if many else f"No {row.unit.name} of that row is left to arrive."
            note = f"{many} to arrive" * bool(many)
            options.append(at.option(row, note, why_not, count=many, most=max(many, 1)))
        due = [wave.contingent.name for wave in waves(state) if wave.contingent.side == side]
        none = "" if due else f" {no_wave(state, side)}"
        who = Picks(
            name="units",
            text=f"{(due or [at.people(side)])[0]}: who arrives?{none}",
            options=tuple(options),
            default={},
            default_text="the whole wave",
            check=one_wave,
            unknown=partial(at.no_row, side, tab=True),
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

    return {
        "given": {"side": at.mover},
        "slots": slots,
        "toggles": at.other_side,
        "make": make,
        "now": any(wave.now for wave in waves(state)),
    }


def all_arrive(at: Sides) -> AnyCommand | None:
    state = at.state
    due = waves(state)
    later = any(one.enters > 1 for one in state.setup.contingents)
    if state.ask is not None or at.waits or not (later or due):
        return None
    none = "" if any(wave.now for wave in due) else "No reinforcements are due."
    return Command(
        key="enter",
        label="Bring on the wave that is due",
        verb="accept",
        group=MOVEMENT,
        make=lambda: whole_wave(state),
        why_not=none,
    )


def no_wave(state: State, side: str) -> str:
    waiting = [row.contingent for row in rows(state, side) if row.waiting]
    if not waiting:
        return "This side has no reinforcements to come."
    first = min(waiting, key=lambda one: one.enters)
    return f"{first.name} arrives on turn {first.enters}."


def whole_wave(state: State, side: str | None = None) -> orders.Enter:
    """The first wave that is due now or, given a ``side``, that is its next; raises UnfitAnswer."""
    due = [wave for wave in waves(state) if wave.now or side is not None]
    wave = next((one for one in due if side in (None, one.contingent.side)), None)
    if wave is None:
        raise UnfitAnswer("No reinforcements are due.")
    return orders.Enter(contingent=wave.contingent.id)


@key("V", "table", MOVEMENT, orders.CallTable, "Draw on the scenario's table by hand")
def table(at: Sides) -> Parts:
    return {"now": bool(owed(at.state, at.state.clock.turn, at.mover))}


# ------------------------------------------------------------------ in and out


@key("L", "load", MOVEMENT, orders.Load, "Load: Lk10r, Enter; Tab another model")
def load(at: Sides) -> Parts:
    state = at.state

    def piece_of(facts: Answers) -> str | None:
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
            carriers.append(at.option(row, "", why_not))
            riders.append(at.option(row, f"{len(row.on_foot)} on foot"))
        own = a_unit(state.setup.of(side, "model"))
        what = at.choose(
            "carrier",
            f"What carries them? Choose {own}.",
            side,
            carriers,
            digit="Choose what carries them first, then a number and a letter.",
        )
        who = Picks(
            name="riders",
            text="Choose who gets in.",
            least=1,
            options=tuple(riders),
            unknown=partial(at.no_row, side),
        )
        return (what, who)

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        if not facts.get("carrier"):
            return at.other_side(facts)
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
        text = f"{row.unit.short} {piece_code(piece)} ({inside}) takes {riders or 'whom?'}"
        return Page("", (Paragraph(text, tone="strong"),))

    def make(**facts: Any) -> AnyOrder:
        piece = piece_of(facts)
        return orders.Load(carrier=facts["carrier"], riders=facts["riders"], piece=piece)

    return {
        "given": {"side": at.mover},
        "slots": slots,
        "toggles": toggles,
        "preview": preview,
        "make": make,
        "now": any(row.unit.seats and row.here for row in rows(state, at.mover)),
    }


@key("O", "unload", MOVEMENT, orders.Unload, "Unload: Ok")
def unload(at: Sides) -> Parts:
    state = at.state

    def inside(row: Row | None) -> list[tuple[str, str]]:
        here = row.here if row else ()
        every = [(piece, inside_words(state, piece)) for piece in here]
        return [(piece, riders) for piece, riders in every if riders]

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        options = [
            at.option(row, " ".join(f"{piece_code(p)} {who}" for p, who in inside(row)))
            for row in rows(state, side)
        ]
        every = (*options, *at.pointed(at.enemy(side)))
        what = at.choose("carrier", f"Out of what? {at.people(side)}.", side, every)
        loaded = inside(find(state, facts.get("carrier") or ""))
        if len(loaded) < 2:
            return (what,)
        which = numbered_options([(p, f"{piece_code(p)}: {who}") for p, who in loaded])
        piece = Choose(
            name="piece",
            text="Which one?",
            key_note="Enter takes the first.",
            options=which,
            default=loaded[0][0],
        )
        return (what, piece)

    return {
        "given": {"side": at.mover},
        "slots": slots,
        "toggles": lambda facts: () if facts.get("carrier") else at.other_side(facts),
        "make": lambda carrier, piece=None, **_: orders.Unload(carrier=carrier, piece=piece),
        "now": any(state.riders_of(one) for row in rows(state, at.mover) for one in row.here),
    }


def other_piece(pieces: Sequence[str], piece: str) -> Toggle:
    at = pieces.index(piece) if piece in pieces else -1
    after = pieces[(at + 1) % len(pieces)]
    return Toggle(name="piece", key="tab", label="another model", sets={"piece": after})


# ------------------------------------------------------------------ on the table


@key("S", "serve", MOVEMENT, orders.Serve, "Refuel or serve: St, S2t")
def serve(at: Sides) -> Parts:
    """The side with units to serve; the mover if both or neither have some."""
    state, more = at.state, servable(at.state)
    sides = {piece_side(piece) for piece in state.unserved}

    def hint(side: str) -> str:
        if more:
            return f"{more} more can be served this turn."
        none = "None can be served now; press the letter to see why."
        return none if side in sides else "Nobody on this side needs service."

    first = next(iter(sides)) if len(sides) == 1 else at.mover
    asks = "are refuelled or served."
    return at.numbered(orders.Serve, asks, side=first, hint=hint, now=more > 0)


@key("R", "reveal", MOVEMENT, orders.Reveal, "Reveal hidden units: Rr, R3r")
def reveal(at: Sides) -> Parts:
    state = at.state
    side = next((piece_side(piece) for piece in sorted(state.hidden)), None)

    def hint(side: str) -> str:
        own = rows(state, side)
        found = [f"{row.letter} {row.unit.short} {len(row.hidden)}" for row in own if row.hidden]
        return "Hidden: " + ", ".join(found) if found else "This side has nobody hidden."

    asks = "come out of hiding."
    return at.numbered(
        orders.Reveal, asks, side=side, hint=hint, most=lambda row: len(row.hidden), now=bool(side)
    )


@key("B", "leave_gun", MOVEMENT, orders.Convert, "Abandon a gun: Bm", word="abandon")
def leave_gun(at: Sides) -> Parts:
    state = at.state

    def able(side: str) -> list[str]:
        """``m Machinegun becomes Rifle``."""
        kinds = [(row, convertible(state, row)) for row in rows(state, side) if row.on_foot]
        return [
            f"{row.letter} {row.unit.short} becomes {state.setup.unit(kind.becomes).short}"
            for row, kind in kinds
            if kind
        ]

    def hint(side: str) -> str:
        return ", ".join(able(side)) or "Nobody on this side can do this."

    side = next((one.id for one in state.setup.sides if able(one.id)), None)
    asks = "leave it and fight on as something else."
    return at.numbered(orders.Convert, asks, side=side, hint=hint, now=bool(side))


@key("D", "dig", MOVEMENT, orders.Dig, "Dig in: draw for it; De with an engineer")
def dig(at: Sides) -> Parts:
    some, everybody = engineers_of(at.state, at.mover)
    who: tuple[Slot, ...] = ()
    if some and not everybody and at.state.options.entrenching:
        options = (
            Option(value=True, label="an engineer, or a group with one", key="e"),
            Option(value=False, label="a group of four or more", key="g"),
        )
        text = f"{at.people(at.mover)}: who digs?"
        who = (Choose(name="engineers", text=text, options=options, default=False),)
    return {
        "slots": who,
        "make": lambda engineers=False: orders.Dig(side=at.mover, engineers=engineers),
        "now": _moves(at) and at.state.options.entrenching,
    }


@key("W", "wire", MOVEMENT, orders.ClearWire, "An engineer clears a segment of wire")
def wire(at: Sides) -> Parts:
    near = bool(at.state.works.get(at.enemy(at.mover), {}).get("barbed_wire"))
    return {"make": lambda: orders.ClearWire(at.mover), "now": near}
