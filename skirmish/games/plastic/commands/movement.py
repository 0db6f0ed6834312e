"""The other commands of the movement phase: what a group owes for moving, and what units do where
they stand. [78] is a paragraph of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.charges import charges_to_cut
from skirmish.games.plastic.battle.orders.checks import engineers_of
from skirmish.games.plastic.battle.orders.scenario_orders import conversion_of, count_servable
from skirmish.games.plastic.battle.orders.tables import tables_and_charges_owed
from skirmish.games.plastic.battle.qualities import quality_of_group
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow, numbered_options
from skirmish.games.plastic.commands.declaring import MOVEMENT, CommandParts, key
from skirmish.games.plastic.commands.numbered_row import NumberedRow
from skirmish.games.plastic.rules.checks import draws_for_command
from skirmish.games.plastic.scenarios.happenings import Charges
from skirmish.tabletop.number_words import number_word
from skirmish.tabletop.slots import Choose, Option, Slot


@key("M", "moved", MOVEMENT, orders.GroupMoved, "Draw the command card of a group that has moved")
def moved(battle: BattleNow) -> CommandParts:
    """A group that has moved draws for its command. That is a rule for forces with a quality, and
    an elite force draws for none ("Troop Quality" [89-92])."""
    state = battle.state
    # The empty name stands for the side as a whole.
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


@key("V", "table", MOVEMENT, orders.CallTable, "Draw on the scenario's table by hand")
def table(battle: BattleNow) -> CommandParts:
    """A draw on a table of the scenario, which the program has not made by itself."""
    state = battle.state
    return CommandParts(
        on_strip=bool(tables_and_charges_owed(state, state.clock.turn, battle.mover))
    )


@key("S", "serve", MOVEMENT, orders.Serve, "Refuel, serve or cut charges", detail="St, S2t, S1")
def serve(battle: BattleNow) -> CommandParts:
    """Those who started the turn touching a unit serve it, or they cut charges of the enemy that
    they touched."""
    charges = list(charges_to_cut(battle.state, battle.mover))
    # As long as units wait to be served, the key is for them.
    if charges and not battle.state.unserved:
        return _cut_charges(battle, charges)
    return _serve_units(battle)


def _cut_charges(battle: BattleNow, charges: Sequence[Charges]) -> CommandParts:
    """The mover's men cut one of these charges."""
    labels = {laid.id: f"the charges at {laid.what}" for laid in charges}
    slot = Choose(
        name="charges",
        options=numbered_options(labels),
        text="Which charges are cut? Their cutters must have started this turn touching them.",
    )

    def make(charges: str) -> orders.CutCharges:
        return orders.CutCharges(side=battle.mover, charges=charges)

    return CommandParts(
        label="Cut charges",
        word="cut charges",
        slots=(slot,),
        make=make,
        on_strip=_is_movement(battle.state),
    )


def _serve_units(battle: BattleNow) -> CommandParts:
    """Units are served, as the French tanks of scenario 2, of which each truck refuels one a turn
    [132]. The side with such units is asked about first; the mover if both or neither have some."""
    state = battle.state
    still_served = count_servable(state)
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
    question = NumberedRow(battle=battle, text="{units} are refuelled or served.", hint=hint)
    return question.parts(orders.Serve, first_side=side_to_serve, on_strip=still_served > 0)


@key("R", "reveal", MOVEMENT, orders.Reveal, "Reveal hidden units", detail="Rr, R3r")
def reveal(battle: BattleNow) -> CommandParts:
    """Units that were hidden are seen from now on."""
    state = battle.state
    hiding_side = None
    if state.hidden:
        # Of a set any piece would do; the first by name is the same whenever the program runs.
        hiding_side = piece_side(min(state.hidden))

    def hint(side: str) -> str:
        hidden = []
        for row in rows(state, side):
            if row.hidden:
                hidden.append(f"{row.letter} {row.unit.short} {len(row.hidden)}")
        if not hidden:
            return "This side has nobody hidden."
        return f"Hidden: {', '.join(hidden)}"

    question = NumberedRow(
        battle=battle, text="{units} come out of hiding.", hint=hint, highest_number=_hidden_in
    )
    return question.parts(orders.Reveal, first_side=hiding_side, on_strip=bool(state.hidden))


def _hidden_in(row: Row) -> int:
    """How many of a row are hidden."""
    return len(row.hidden)


@key("B", "leave_gun", MOVEMENT, orders.Convert, "Abandon a gun", detail="Bm", word="abandon")
def leave_gun(battle: BattleNow) -> CommandParts:
    """The crew of a gun leaves it and fights on as another unit, where the scenario allows that."""
    state = battle.state

    def hint(side: str) -> str:
        return ", ".join(_conversions(state, side)) or "Nobody on this side can do this."

    sides = [side.id for side in state.setup.sides if _conversions(state, side.id)]
    side_with_guns = None
    if sides:
        side_with_guns = sides[0]  # Tab leads to the other
    text = "{units} leave their gun and fight on as something else."
    question = NumberedRow(battle=battle, text=text, hint=hint)
    return question.parts(orders.Convert, first_side=side_with_guns, on_strip=bool(sides))


def _conversions(state: State, side: str) -> list[str]:
    """``m Machinegun becomes Rifle``, for each row that can abandon its gun."""
    conversions = []
    for row in rows(state, side):
        if not row.on_foot:
            continue
        conversion = conversion_of(state, row)
        if conversion:
            after = state.setup.unit(conversion.becomes)
            conversions.append(f"{row.letter} {row.unit.short} becomes {after.short}")
    return conversions


@key("D", "dig", MOVEMENT, orders.Dig, "Dig in", detail="draw for it; De with an engineer")
def dig(battle: BattleNow) -> CommandParts:
    """A group of the mover draws to dig in."""
    entrenching = battle.state.options.entrenching
    engineers_left = engineers_of(battle.state, battle.mover)
    # Engineers dig in on other cards ("Entrenching" [102]). Who digs is asked only where the
    # side has both engineers and others.
    slots: tuple[Slot, ...] = ()
    if engineers_left.any_digs and not engineers_left.all_dig and entrenching:
        slots = (_who_digs(battle),)

    def make(engineers: bool = False) -> orders.Dig:
        return orders.Dig(side=battle.mover, engineers=engineers)

    return CommandParts(slots=slots, make=make, on_strip=_is_movement(battle.state) and entrenching)


def _who_digs(battle: BattleNow) -> Slot:
    """The question whether there is an engineer among those who dig."""
    least = number_word(battle.state.setup.catalog.entrench.group_of)
    options = (
        Option(value=True, label="an engineer, or a group with one", key="e"),
        Option(value=False, label=f"a group of {least} or more", key="g"),
    )
    text = f"{battle.people(battle.mover)}: who digs?"
    return Choose(name="engineers", text=text, options=options, default=False)


@key("#", "wire", MOVEMENT, orders.ClearWire, "An engineer clears a segment of wire")
def wire(battle: BattleNow) -> CommandParts:
    """Engineers clear wire that they touch ("Barbed Wire" [104])."""
    # The key is shown while the enemy has wire. It also clears the mover's own, once that of the
    # enemy is gone.
    works_of_enemy = battle.state.works.get(battle.enemy(battle.mover), {})

    def make() -> orders.ClearWire:
        return orders.ClearWire(battle.mover)

    return CommandParts(make=make, on_strip=bool(works_of_enemy.get("barbed_wire")))
