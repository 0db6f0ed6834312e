"""The commands of the movement phase: entering, exiting, loading, unloading, digging, serving and
revealing. [78] is a paragraph of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import piece_code, piece_side, row_named, row_side
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, decide
from skirmish.games.plastic.battle.orders.charges import to_cut
from skirmish.games.plastic.battle.orders.draws import engineers_of, tables_owed
from skirmish.games.plastic.battle.orders.turn import convertible, leaving, servable, waves
from skirmish.games.plastic.battle.qualities import quality_of_group
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import victory_kind, way_out
from skirmish.games.plastic.board import inside_words
from skirmish.games.plastic.commands.sides import (
    COUNT,
    MOVEMENT,
    AnyCommand,
    BattleNow,
    CommandParts,
    key,
    numbered_options,
    refused,
)
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.games.plastic.scenarios.scenario import Charges
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.number_words import number_word
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
def moved(battle: BattleNow) -> CommandParts:
    """A draw is owed with force qualities only, and an elite force owes none ("Troop Quality"
    [89-92])."""
    state = battle.state
    # That of the side as a whole: the empty name is no group.
    draws = draws_for_command(quality_of_group(state, battle.mover, ""))
    text = f"Which group moved? Of several that moved together, choose the {battle.who_tests}."
    return CommandParts(
        slots=battle.which_contingent(battle.mover, text, only_who_draws=True),
        make=orders.GroupMoved,
        on_strip=_is_movement(state) and not state.movement_over and draws,
    )


def _is_movement(state: State) -> bool:
    """Whether it is the phase in which units move."""
    return state.clock.phase == 1


# ------------------------------------------------------------------ onto the table and off it


@key("X", "exit", MOVEMENT, orders.Exit, "Leave the table: Xk, Enter; X5r, Enter")
def leave(battle: BattleNow) -> CommandParts:
    """Units leave the table for good: over an edge, with those aboard."""
    exits = _Exits(battle)
    return CommandParts(
        # Who exits does so, nearly always, where the scenario wants it; ``o`` says otherwise.
        given={"side": battle.mover, "counts": True},
        slots=exits.slots,
        toggles=exits.toggles,
        preview=exits.preview,
        make=exits.order,
        # It can be given at any time in phase 1; it is offered on the strip only where it can win.
        on_strip=battle.mover in victory_kind(battle.state).exiting,
    )


class _Exits:
    """What is asked about units that leave the table."""

    def __init__(self, battle: BattleNow) -> None:
        self.battle = battle
        self.state = battle.state

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """How many and who, and how many instead where there are not so many."""
        side, count = facts["side"], facts.get("count")
        options = []
        for row in rows(self.state, side):
            # More than there are is refused below, with the number there are.
            leavers = 1
            if count is not None:
                leavers = min(count, max(len(row.on_foot), 1))
            why_not = refused(partial(leaving, self.state, row, leavers))
            options.append(self.battle.option(row, f"{len(row.on_foot)} here", why_not))
        text = f"Who leaves the table? {self.battle.people(side)}."
        who = self.battle.choose("row", text, side, options)
        row_leaving = find_row(self.state, facts.get("row") or "")
        if row_leaving is not None and row_leaving.on_foot:
            fewer_leave = fewer("fewer", count, len(row_leaving.on_foot))
            if fewer_leave is not None:
                return (COUNT, who, fewer_leave, Confirm())
        return (COUNT, who, Confirm())

    def order(
        self,
        row: str,
        counts: bool,
        count: int | None = None,
        piece: str | None = None,
        **others: Any,
    ) -> orders.Exit:
        """The order that these answers make: ``count`` of a row, or the one ``piece`` that Tab led
        to; ``counts``: for victory."""
        # After too high a number, how many leave instead.
        number = others.get("fewer") or count
        leaver = find_row(self.state, row)
        if number is None:
            number = 1
        # The preview names the model that leaves, so it must be the one that will: it is fixed
        # here, and Tab leads to the others.
        is_single_model = leaver is not None and not leaver.unit.is_guy and number == 1
        if leaver is not None and is_single_model and not piece:
            piece = leaving(self.state, leaver, 1)[0]
        return orders.Exit(row=row, count=number, piece=piece, counts=counts)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """First the other side; once a row is chosen where it leaves, and which of its models."""
        if not facts.get("row"):
            return self.battle.other_side(facts)
        counts = facts["counts"]
        label = "elsewhere"
        if counts:
            label = "where it counts"
        where = Toggle(
            name="counts", key="o", label=label, sets={"counts": not counts}, mark=not counts
        )
        row, order = find_row(self.state, facts["row"]), self.order(**facts)
        if row is None or not order.piece:
            return (where,)
        models = leaving(self.state, row, len(row.on_foot))
        if len(models) < 2:
            return (where,)
        return (where, other_piece(models, order.piece))

    def preview(self, facts: Answers) -> Page:
        """What the journal will say, or why the order would be refused."""
        if not facts.get("row"):
            return Page("")
        try:
            # The sentence that the journal will have: decided here, and given to nobody.
            text = narrate(decide(self.state, self.order(**facts)), self.state)
        except Refused as refusal:
            return Page("", (Paragraph(str(refusal), tone="strong"),))
        where = "where it does not count"
        if facts["counts"]:
            where = way_out(self.state.setup, row_side(facts["row"]))
        # Where it leaves stands before the full stop of the sentence.
        if where:
            text = f"{text.removesuffix('.')} ({where})."
        return Page("", (Paragraph(text, tone="strong"),))


@key("A", "arrive", MOVEMENT, orders.Enter, "Bring on part of a wave: A5r2m, Enter")
def arrive(battle: BattleNow) -> CommandParts:
    """Part of the reinforcements that are due come on; with Enter alone all of them."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        due = [wave.contingent.name for wave in waves(state) if wave.contingent.side == side]
        if due:
            text = f"{due[0]}: who arrives?"
        else:
            text = f"{battle.people(side)}: who arrives? {no_wave(state, side)}"
        who = Picks(
            name="units",
            text=text,
            options=tuple(_arriving(battle, row) for row in rows(state, side)),
            # Enter alone: nearly always the whole wave comes on.
            default={},
            default_text="the whole wave",
            check=partial(_refuse_two_waves, state),
            unknown=partial(battle.no_row, side, tab=True),
        )
        return (who,)

    def make(side: str, units: dict[str, int]) -> AnyOrder:
        if not units:
            return whole_wave(state, side)
        # Of one contingent only: the slot has refused two (``_refuse_two_waves``).
        return orders.Enter(contingent=_contingents_of(units)[0], units=units)

    return CommandParts(
        given={"side": battle.mover},
        slots=slots,
        toggles=battle.other_side,
        make=make,
        on_strip=any(wave.due_now for wave in waves(state)),
    )


def _arriving(battle: BattleNow, row: Row) -> Option:
    """A row of which all who wait can be chosen at once."""
    waiting = len(row.waiting)
    if not waiting:
        why_not = f"No {row.unit.name} of that row is left to arrive."
        return battle.option(row, "", why_not, count=0, most=1)
    return battle.option(row, f"{waiting} to arrive", count=waiting, most=waiting)


def _contingents_of(units: Iterable[str]) -> list[str]:
    """The contingents of these rows, in their order."""
    contingents = []
    for row_key in units:
        name = row_named(row_key)
        if name is not None and name.contingent not in contingents:
            contingents.append(name.contingent)
    return contingents


def _refuse_two_waves(state: State, units: Iterable[str]) -> None:
    """Raises UnfitAnswer for rows of more than one contingent."""
    contingents = _contingents_of(units)
    if len(contingents) > 1:
        later = state.setup.contingent_by_id[contingents[1]].name
        raise UnfitAnswer(f"One wave at a time: press Enter, then bring on {later}.")


def all_arrive(battle: BattleNow) -> AnyCommand | None:
    """The command that brings on what is due. None while something is asked, and in a battle in
    which everybody is there from the beginning."""
    state = battle.state
    due = waves(state)
    # Where all begin on the table a key that never does anything would only puzzle.
    some_come_later = any(contingent.enters > 1 for contingent in state.setup.contingents)
    if not some_come_later and not due:
        return None
    if state.ask is not None or battle.why_waits:
        return None
    why_not = "No reinforcements are due."
    if any(wave.due_now for wave in due):
        why_not = ""
    return Command(
        key="enter",
        label="Bring on the wave that is due",
        verb="accept",
        group=MOVEMENT,
        make=partial(whole_wave, state),
        why_not=why_not,
    )


def no_wave(state: State, side: str) -> str:
    """When the next wave of a side arrives, none of which is due now."""
    waiting = [row.contingent for row in rows(state, side) if row.waiting]
    if not waiting:
        return "This side has no reinforcements to come."
    earliest = min(waiting, key=lambda contingent: contingent.enters)
    return f"{earliest.name} arrives on turn {earliest.enters}."


def whole_wave(state: State, side: str | None = None) -> orders.Enter:
    """The first wave that is due now or, given a ``side``, that is its next; raises UnfitAnswer."""
    for wave in waves(state):
        if side is None:
            is_meant = wave.due_now
        else:
            is_meant = wave.contingent.side == side
        if is_meant:
            return orders.Enter(contingent=wave.contingent.id)
    raise UnfitAnswer("No reinforcements are due.")


@key("V", "table", MOVEMENT, orders.CallTable, "Draw on the scenario's table by hand")
def table(battle: BattleNow) -> CommandParts:
    """A draw on a table of the scenario that the program did not make by itself."""
    state = battle.state
    return CommandParts(on_strip=bool(tables_owed(state, state.clock.turn, battle.mover)))


# ------------------------------------------------------------------ in and out


@key("L", "load", MOVEMENT, orders.Load, "Load: Lk10r, Enter; Tab another model")
def load(battle: BattleNow) -> CommandParts:
    """Units get into a vehicle."""
    loads = _Loads(battle)
    has_carrier = any(row.unit.seats and row.here for row in rows(battle.state, battle.mover))
    return CommandParts(
        given={"side": battle.mover},
        slots=loads.slots,
        toggles=loads.toggles,
        preview=loads.preview,
        make=loads.order,
        on_strip=has_carrier,
    )


class _Loads:
    """What is asked about units that get into a vehicle. Whether they began the turn within 3 in of
    it ("Loading or Unloading" [78]) is seen on the table only, so nothing asks for it."""

    def __init__(self, battle: BattleNow) -> None:
        self.battle = battle
        self.state = battle.state

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """What carries them, and who gets in."""
        side = facts["side"]
        # Both lists show all rows of the side, so that each keeps its letter; those that cannot be
        # chosen are grey.
        own_rows = rows(self.state, side)
        their_model = a_unit(self.state.setup.owned_by(side, "model"))
        which_carrier = self.battle.choose(
            "carrier",
            f"What carries them? Choose {their_model}.",
            side,
            [self._carrier(row) for row in own_rows],
            # Men are typed as number and letter everywhere else, and so a digit comes first here by
            # habit.
            digit="Choose what carries them first, then a number and a letter.",
        )
        riders = [self.battle.option(row, f"{len(row.on_foot)} on foot") for row in own_rows]
        who = Picks(
            name="riders",
            text="Choose who gets in.",
            least=1,
            options=tuple(riders),
            unknown=partial(self.battle.no_row, side),
        )
        return (which_carrier, who)

    def _carrier(self, row: Row) -> Option:
        """A row as what may carry them."""
        why_not = ""
        if not row.unit.seats:
            unit = a_unit(row.unit.name, "A")
            why_not = f"{unit} carries nobody. Choose what carries them first."
        elif not row.here:
            why_not = f"No {row.unit.name} is on the table."
        return self.battle.option(row, "", why_not)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """First the other side; once a row is chosen another of its vehicles."""
        if not facts.get("carrier"):
            return self.battle.other_side(facts)
        row, piece = find_row(self.state, facts["carrier"]), self._piece_of(facts)
        # Tab would lead back to the same vehicle.
        if row is None or piece is None or len(row.here) < 2:
            return ()
        return (other_piece(row.here, piece),)

    def _piece_of(self, facts: Answers) -> str | None:
        """The vehicle of the chosen row: the one that Tab led to, else the emptiest."""
        row = find_row(self.state, facts["carrier"])
        piece: str | None = facts.get("piece")
        if piece or row is None:
            return piece
        return min(row.here, key=lambda carrier: len(self.state.riders_of(carrier)), default=None)

    def preview(self, facts: Answers) -> Page:
        """Which vehicle takes whom, and who is in it already."""
        row = find_row(self.state, facts.get("carrier") or "")
        if row is None:
            return Page("")
        piece = self._piece_of(facts)
        if piece is None:
            return Page("")
        inside = inside_words(self.state, piece) or "empty"
        riders = []
        for row_key, number in (facts.get("riders") or {}).items():
            rider = find_row(self.state, row_key)
            if rider is not None:
                riders.append(f"{number} {rider.unit.short}")
        takes = ", ".join(riders) or "whom?"
        text = f"{row.unit.short} {piece_code(piece)} ({inside}) takes {takes}"
        return Page("", (Paragraph(text, tone="strong"),))

    def order(self, **facts: Any) -> AnyOrder:
        """The order that these answers make."""
        piece = self._piece_of(facts)
        return orders.Load(carrier=facts["carrier"], riders=facts["riders"], piece=piece)


@key("O", "unload", MOVEMENT, orders.Unload, "Unload: Ok")
def unload(battle: BattleNow) -> CommandParts:
    """Everybody known to be aboard of a vehicle gets out."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        options = []
        for row in rows(state, side):
            loaded = [f"{piece_code(piece)} {riders}" for piece, riders in _loaded(state, row)]
            options.append(battle.option(row, " ".join(loaded)))
        options.extend(battle.pointed(battle.enemy(side)))
        which_carrier = battle.choose(
            "carrier", f"Out of what? {battle.people(side)}.", side, options
        )
        models = _loaded(state, find_row(state, facts.get("carrier") or ""))
        if len(models) < 2:
            return (which_carrier,)
        model_labels = [(piece, f"{piece_code(piece)}: {riders}") for piece, riders in models]
        slot = Choose(
            name="piece",
            text="Which one?",
            key_note="Enter takes the first.",
            options=numbered_options(model_labels),
            default=models[0][0],
        )
        return (which_carrier, slot)

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        if facts.get("carrier"):
            return ()
        return battle.other_side(facts)

    # Of the mover alone: on the strip stands what can be done in his own turn.
    own_models: list[str] = []
    for row in rows(state, battle.mover):
        own_models += row.here
    return CommandParts(
        given={"side": battle.mover},
        slots=slots,
        toggles=toggles,
        make=_unloaded,
        on_strip=any(state.riders_of(piece) for piece in own_models),
    )


def _unloaded(carrier: str, piece: str | None = None, **_: Any) -> orders.Unload:
    """The order; of the answers only the vehicle matters, and its model if there are several."""
    return orders.Unload(carrier=carrier, piece=piece)


def _loaded(state: State, row: Row | None) -> list[tuple[str, str]]:
    """The models of a row that carry somebody, with the words for whom."""
    if row is None:
        return []
    loaded = []
    for piece in row.here:
        riders = inside_words(state, piece)
        if riders:
            loaded.append((piece, riders))
    return loaded


def other_piece(pieces: Sequence[str], piece: str) -> Toggle:
    """Tab: the next model of the row, the first again after the last."""
    after = pieces[0]
    if piece in pieces:
        after = pieces[(pieces.index(piece) + 1) % len(pieces)]
    return Toggle(name="piece", key="tab", label="another model", sets={"piece": after})


# ------------------------------------------------------------------ on the table


@key("S", "serve", MOVEMENT, orders.Serve, "Refuel, serve or cut charges: St, S2t, S1")
def serve(battle: BattleNow) -> CommandParts:
    """What is done by those who started the turn touching something: they serve units, or cut the
    charges that the enemy has laid."""
    charges = list(to_cut(battle.state, battle.mover))
    if charges and not battle.state.unserved:
        return _cut_charges(battle, charges)
    return _serve_units(battle)


def _cut_charges(battle: BattleNow, charges: Sequence[Charges]) -> CommandParts:
    """The mover's men cut one of these charges."""
    named = [(laid.id, f"the charges at {laid.what}") for laid in charges]
    slot = Choose(
        name="charges",
        options=numbered_options(named),
        text="Which charges are cut? Their cutters must have started this turn touching them.",
    )

    def make(charges: str) -> orders.CutCharges:
        return orders.CutCharges(side=battle.mover, charges=charges)

    return CommandParts(
        label="Cut charges: S1",
        word="cut charges",
        slots=(slot,),
        make=make,
        on_strip=_is_movement(battle.state),
    )


def _serve_units(battle: BattleNow) -> CommandParts:
    """The side with units to serve, as the French tanks of scenario 2, where each truck refuels one
    a turn [132]; the mover if both or neither have some."""
    state = battle.state
    still_served = servable(state)
    sides_in_need = {piece_side(piece) for piece in state.unserved}

    def hint(side: str) -> str:
        if still_served:
            return f"{still_served} more can be served this turn."
        if side in sides_in_need:
            return "None can be served now; press the letter to see why."
        return "Nobody on this side needs service."

    side_to_serve = battle.mover
    if len(sides_in_need) == 1:
        (side_to_serve,) = sides_in_need
    return battle.numbered(
        orders.Serve,
        "are refuelled or served.",
        side=side_to_serve,
        hint=hint,
        on_strip=still_served > 0,
    )


@key("R", "reveal", MOVEMENT, orders.Reveal, "Reveal hidden units: Rr, R3r")
def reveal(battle: BattleNow) -> CommandParts:
    """Units that hide are seen from now on."""
    state = battle.state
    side = None
    if state.hidden:
        side = piece_side(min(state.hidden))  # the same on every run: a set has no order

    def hint(side: str) -> str:
        hidden = []
        for row in rows(state, side):
            if row.hidden:
                hidden.append(f"{row.letter} {row.unit.short} {len(row.hidden)}")
        if not hidden:
            return "This side has nobody hidden."
        return f"Hidden: {', '.join(hidden)}"

    return battle.numbered(
        orders.Reveal,
        "come out of hiding.",
        side=side,
        hint=hint,
        most=_hidden_in,
        on_strip=bool(side),
    )


def _hidden_in(row: Row) -> int:
    """How many of a row hide."""
    return len(row.hidden)


@key("B", "leave_gun", MOVEMENT, orders.Convert, "Abandon a gun: Bm", word="abandon")
def leave_gun(battle: BattleNow) -> CommandParts:
    """The crew of a gun leaves it and fights on as another unit, where the scenario allows that."""
    state = battle.state

    def hint(side: str) -> str:
        return ", ".join(_conversions(state, side)) or "Nobody on this side can do this."

    sides = [side.id for side in state.setup.sides if _conversions(state, side.id)]
    side_with_guns = None
    if sides:
        side_with_guns = sides[0]
    asks = "leave it and fight on as something else."
    return battle.numbered(
        orders.Convert, asks, side=side_with_guns, hint=hint, on_strip=bool(sides)
    )


def _conversions(state: State, side: str) -> list[str]:
    """``m Machinegun becomes Rifle``, for each row that can abandon its gun."""
    conversions = []
    for row in rows(state, side):
        if not row.on_foot:
            continue
        conversion = convertible(state, row)
        if conversion:
            after = state.setup.unit(conversion.becomes)
            conversions.append(f"{row.letter} {row.unit.short} becomes {after.short}")
    return conversions


@key("D", "dig", MOVEMENT, orders.Dig, "Dig in: draw for it; De with an engineer")
def dig(battle: BattleNow) -> CommandParts:
    """A group of the mover draws to dig in."""
    entrenching = battle.state.options.entrenching
    engineers_left = engineers_of(battle.state, battle.mover)
    # Engineers dig in on other cards ("Entrenching" [102]). Who digs is asked only where that is
    # not clear already.
    slots: tuple[Slot, ...] = ()
    if engineers_left.any_digs and not engineers_left.all_dig and entrenching:
        slots = (_who_digs(battle),)

    def make(engineers: bool = False) -> orders.Dig:
        return orders.Dig(side=battle.mover, engineers=engineers)

    return CommandParts(slots=slots, make=make, on_strip=_is_movement(battle.state) and entrenching)


def _who_digs(battle: BattleNow) -> Slot:
    """Whether there is an engineer with those who dig."""
    least = number_word(battle.state.setup.catalog.entrench.group_of)
    options = (
        Option(value=True, label="an engineer, or a group with one", key="e"),
        Option(value=False, label=f"a group of {least} or more", key="g"),
    )
    text = f"{battle.people(battle.mover)}: who digs?"
    return Choose(name="engineers", text=text, options=options, default=False)


@key("#", "wire", MOVEMENT, orders.ClearWire, "An engineer clears a segment of wire")
def wire(battle: BattleNow) -> CommandParts:
    """Engineers clear wire that they touch ("Barbed Wire" [104]). The key is shown where the enemy
    has some; one's own is cleared by the same order once his is gone."""
    works_of_enemy = battle.state.works.get(battle.enemy(battle.mover), {})

    def make() -> orders.ClearWire:
        return orders.ClearWire(battle.mover)

    return CommandParts(make=make, on_strip=bool(works_of_enemy.get("barbed_wire")))
