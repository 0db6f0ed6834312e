"""The commands by which units get into a vehicle and out of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow, numbered_options, other_model
from skirmish.games.plastic.commands.declaring import MOVEMENT, CommandParts, key
from skirmish.games.plastic.row_words import inside_words
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.slots import Choose, Option, Picks, Slot, UnfitAnswer


@key("L", "load", MOVEMENT, orders.Load, "Load", detail="Lk10r, Enter; Tab another model")
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
    """What is asked about units that get into a vehicle. Nothing asks whether they began the turn
    within 3 in of it ("Loading or Unloading" [78]): players see that on the table."""

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
            [self._carrier_option(row) for row in own_rows],
            # Other commands begin with a number and a letter, so players type a digit here by
            # habit.
            refusal_of_digit=UnfitAnswer(
                "Choose what carries them first, then a number and a letter."
            ),
        )
        riders = [self.battle.option(row, f"{len(row.on_foot)} on foot") for row in own_rows]
        who = Picks(
            name="riders",
            text="Choose who gets in.",
            least=1,
            options=tuple(riders),
            refusal_of_unknown=partial(self.battle.no_row, side),
        )
        return (which_carrier, who)

    def _carrier_option(self, row: Row) -> Option:
        """A row as the answer to what carries them."""
        why_not = ""
        if not row.unit.seats:
            unit = a_unit(row.unit.name, "A")
            why_not = f"{unit} carries nobody. Choose what carries them first."
        elif not row.here:
            why_not = f"No {row.unit.name} is on the table."
        return self.battle.option(row, "", why_not)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """Before a row is chosen, the other side; then another vehicle of the row."""
        if not facts.get("carrier"):
            return self.battle.other_side(facts)
        row = find_row(self.state, facts["carrier"])
        piece = self._vehicle(facts["carrier"], facts.get("piece"))
        # Tab needs a second vehicle to lead to.
        if row is None or piece is None or len(row.here) < 2:
            return ()
        return (other_model(row.here, piece),)

    def _vehicle(self, carrier: str, after_tab: str | None) -> str | None:
        """The vehicle of the row ``carrier``: the one to which Tab led, else the one with the
        fewest riders. None if the row has none on the table."""
        row = find_row(self.state, carrier)
        if after_tab or row is None:
            return after_tab
        return min(row.here, key=lambda vehicle: len(self.state.riders_of(vehicle)), default=None)

    def preview(self, facts: Answers) -> Page:
        """Which vehicle takes whom, and who is in it already."""
        row = find_row(self.state, facts.get("carrier") or "")
        if row is None:
            return Page("")
        piece = self._vehicle(row.key, facts.get("piece"))
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

    def order(
        self, *, side: str, carrier: str, riders: dict[str, int], piece: str | None = None
    ) -> orders.Load:
        """The order that these answers make: so many riders of each row get into one vehicle of the
        row ``carrier``, that ``piece`` if Tab led to one."""
        del side  # the row is of that side
        return orders.Load(carrier=carrier, riders=riders, piece=self._vehicle(carrier, piece))


@key("O", "unload", MOVEMENT, orders.Unload, "Unload", detail="Ok")
def unload(battle: BattleNow) -> CommandParts:
    """Everybody who is known to be aboard a vehicle gets out."""
    state = battle.state

    def slots(facts: Answers) -> tuple[Slot, ...]:
        side = facts["side"]
        options = []
        for row in rows(state, side):
            loaded = []
            for piece, riders in _riders_by_model(state, row).items():
                loaded.append(f"{piece_code(piece)} {riders}")
            options.append(battle.option(row, " ".join(loaded)))
        options += battle.options_by_mouse(battle.enemy(side))
        which_carrier = battle.choose(
            "carrier", f"Out of what? {battle.people(side)}.", side, options
        )
        riders_by_model = _riders_by_model(state, find_row(state, facts.get("carrier") or ""))
        if len(riders_by_model) < 2:
            return (which_carrier,)
        return (which_carrier, _which_model(riders_by_model))

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        if facts.get("carrier"):
            return ()
        return battle.other_side(facts)

    # Only the mover's, since the strip shows what can be done in this turn.
    models_of_mover: list[str] = []
    for row in rows(state, battle.mover):
        models_of_mover += row.here
    return CommandParts(
        given={"side": battle.mover},
        slots=slots,
        toggles=toggles,
        make=_unloading_order,
        on_strip=any(state.riders_of(piece) for piece in models_of_mover),
    )


def _which_model(riders_by_model: Mapping[str, str]) -> Choose:
    """The question which of several loaded models is meant."""
    labels = {}
    for piece, riders in riders_by_model.items():
        labels[piece] = f"{piece_code(piece)}: {riders}"
    first_model = next(iter(riders_by_model))
    return Choose(
        name="piece",
        text="Which one?",
        key_note="Enter takes the first.",
        options=numbered_options(labels),
        default=first_model,
    )


def _unloading_order(carrier: str, side: str, piece: str | None = None) -> orders.Unload:
    """The order that these answers make."""
    del side  # the row is of that side
    return orders.Unload(carrier=carrier, piece=piece)


def _riders_by_model(state: State, row: Row | None) -> dict[str, str]:
    """The models of a row that carry somebody, each with the words for whom; none without a row."""
    if row is None:
        return {}
    riders_by_model = {}
    for piece in row.here:
        riders = inside_words(state, piece)
        if riders:
            riders_by_model[piece] = riders
    return riders_by_model
