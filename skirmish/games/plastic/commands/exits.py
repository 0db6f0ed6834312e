"""The command by which units leave the table for good."""

from __future__ import annotations

from functools import partial

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import decide
from skirmish.games.plastic.battle.orders.movement import exiting_pieces
from skirmish.games.plastic.battle.progress import way_out
from skirmish.games.plastic.battle.rows import Row, find_row, rows
from skirmish.games.plastic.battle.victory import victory_kind
from skirmish.games.plastic.commands.battle_now import COUNT, BattleNow, other_model, why_refused
from skirmish.games.plastic.commands.declaring import MOVEMENT, CommandParts, key
from skirmish.tabletop.commands import Answers, Toggle, cycling_toggle
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Confirm, Option, Slot, fewer_slot


@key("X", "exit", MOVEMENT, orders.Exit, "Leave the table", detail="Xk, Enter; X5r, Enter")
def exit_table(battle: BattleNow) -> CommandParts:
    """Units leave the table over an edge, with those aboard."""
    exits = _Exits(battle)
    return CommandParts(
        # Units nearly always leave where it counts for victory; the toggle ``o`` says otherwise.
        given={"side": battle.mover, "counts": True},
        slots=exits.slots,
        toggles=exits.toggles,
        preview=exits.preview,
        make=exits.order,
        # The key works in any battle; it is shown only in one that can be won by leaving.
        on_strip=battle.mover in victory_kind(battle.state).exiting_sides,
    )


class _Exits:
    """What is asked about units that leave the table."""

    def __init__(self, battle: BattleNow) -> None:
        self.battle = battle
        self.state = battle.state

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """How many leave and of which row; after too high a number, how many instead."""
        side, count = facts["side"], facts.get("count")
        options = [self._leaver_option(row, count) for row in rows(self.state, side)]
        text = f"Who leaves the table? {self.battle.people(side)}."
        who = self.battle.choose("row", text, side, options)
        row_leaving = find_row(self.state, facts.get("row") or "")
        if row_leaving is not None and row_leaving.on_foot:
            fewer_leave = fewer_slot("fewer", count, len(row_leaving.on_foot))
            if fewer_leave is not None:
                return (COUNT, who, fewer_leave, Confirm())
        return (COUNT, who, Confirm())

    def _leaver_option(self, row: Row, count: int | None) -> Option:
        """A row of which so many are to leave."""
        # A row with too few men can still be chosen: the next question then says how many it has.
        number = 1
        if count is not None and row.on_foot:
            number = min(count, len(row.on_foot))
        why_not = why_refused(partial(exiting_pieces, self.state, row, number))
        return self.battle.option(row, f"{len(row.on_foot)} here", why_not)

    def order(
        self,
        *,
        side: str,
        row: str,
        counts: bool,
        count: int | None = None,
        fewer: int | None = None,
        piece: str | None = None,
        confirm: None = None,
    ) -> orders.Exit:
        """The order that these answers make: ``count`` of a row leave (``fewer`` after too high a
        number), or the one ``piece`` to which Tab led. ``counts``: they leave where it counts for
        victory."""
        del side  # the row is of that side
        del confirm  # the slot ``Confirm`` is among the answers, but says nothing
        number = 1
        if fewer is not None:
            number = fewer
        elif count is not None:
            number = count
        leaver = find_row(self.state, row)
        # The preview names the model that leaves, so the order fixes which one it is. Tab leads to
        # the others.
        is_single_model = leaver is not None and not leaver.unit.is_guy and number == 1
        if leaver is not None and is_single_model and not piece:
            piece = exiting_pieces(self.state, leaver, 1)[0]
        return orders.Exit(row=row, count=number, piece=piece, counts=counts)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """Before a row is chosen, the other side; then where it leaves, and which of its models."""
        if not facts.get("row"):
            return self.battle.other_side(facts)
        places = {True: "where it counts", False: "elsewhere"}
        where = cycling_toggle("counts", "o", facts["counts"], places)
        row, order = find_row(self.state, facts["row"]), self.order(**facts)
        if row is None or not order.piece:
            return (where,)
        # Of models, too, ``on_foot`` are all that are not aboard another one.
        models = exiting_pieces(self.state, row, len(row.on_foot))
        if len(models) < 2:
            return (where,)
        return (where, other_model(models, order.piece))

    def preview(self, facts: Answers) -> Page:
        """What the journal will say, or why the order would be refused."""
        if not facts.get("row"):
            return Page("")
        try:
            # The order is decided for the sentence that the journal would have, and then dropped.
            text = narrate(decide(self.state, self.order(**facts)), self.state)
        except Refused as refusal:
            return Page("", (Paragraph(str(refusal), tone="strong"),))
        where = "where it does not count"
        if facts["counts"]:
            where = way_out(self.state.setup, row_side(facts["row"]))
        # The place goes before the full stop of the sentence.
        if where:
            text = f"{text.removesuffix('.')} ({where})."
        return Page("", (Paragraph(text, tone="strong"),))
