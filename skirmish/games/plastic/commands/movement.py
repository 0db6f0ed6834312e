"""Who comes, goes, gets in and out, digs, is served or shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.decide import decide
from skirmish.games.plastic.battle.names import piece_code, piece_side, row_named, row_side
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.draws import engineers_of, owed
from skirmish.games.plastic.battle.orders.movement import convertible, leaving, servable, waves
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import kind_of, way_out
from skirmish.games.plastic.board import inside_words
from skirmish.games.plastic.commands.sides import (
    COUNT,
    MOVEMENT,
    AnyCommand,
    SoMany,
    refused,
    told,
)
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.slots import (
    Choose,
    Confirm,
    Option,
    Picks,
    Slot,
    UnfitAnswer,
    numbered_options,
)


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
        yield self.exit(common, going and mover in kind_of(state).exiting)
        later = any(one.enters > 1 for one in state.setup.contingents)
        if state.ask is None and going and (later or waves(state)):
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
                why_not = refused(partial(leaving, state, row, 1 if count is None else count))
                options.append(self.option(row, f"{len(row.on_foot)} here", why_not))
            who = self.choose("row", f"{self.people(side)} leave the table: who?", side, options)
            return (COUNT, who, Confirm())

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
            given = order(**facts)
            able = not refused(partial(decide, state, given))
            says = told(state, given)
            if where and able:
                says = f"{says.removesuffix('.')} ({where})."
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

    def no_wave(self, side: str) -> str:
        """Why none of a side's reinforcements can be named yet."""
        waiting = [row.contingent for row in rows(self.state, side) if row.waiting]
        if not waiting:
            return "This side has no reinforcements to come."
        first = min(waiting, key=lambda one: one.enters)
        return f"{first.name} arrives on turn {first.enters}."

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
            none = "" if due else f" {self.no_wave(side)}"
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
