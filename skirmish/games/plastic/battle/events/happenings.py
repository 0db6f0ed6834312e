"""What a scenario brings: draw tables, charges, and special rules that a card begins or ends."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle.shown import PublicText, PublicTextOrNone
from skirmish.games.plastic.battle.state import SURPRISE, AgendaStep, Event, State
from skirmish.tabletop.chance import Draw


class TableDrawn(AgendaStep, frozen=True, kw_only=True, tag="tabled"):
    """The ``nth`` draw, from 1, for a draw table of the scenario."""

    happening: int
    """The index of the table among the happenings of the scenario."""
    side: PublicText
    nth: int
    draw: Draw
    explain: PublicText
    """What the draw brings, in a sentence."""
    entry: PublicTextOrNone = None
    """Where the reinforcements enter, once this or an earlier draw for the table has decided it."""

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, f'draw {self.nth}')}. {self.explain}"


class ChargesDrawn(AgendaStep, frozen=True, kw_only=True, tag="charges_drawn"):
    """The draw that decides whether ``charges`` of the scenario (their id) go off; ``blown``: they
    did. ``explain``: the result in a sentence."""

    charges: PublicText
    side: PublicText
    draw: Draw
    blown: bool
    explain: PublicText

    def apply(self, state: State) -> State:
        after = super().apply(state)
        if self.blown:
            after = replace(after, blown=after.blown | {self.charges})
        return after

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, 'charges')}. {self.explain}"

    def weight(self) -> int:
        if self.blown:
            return SURPRISE
        return super().weight()


class ChargesCut(Event, frozen=True, kw_only=True, tag="charges_cut"):
    """The enemy of the side that laid ``charges`` (their id) has cut them; ``what``: what they were
    to blow up, such as a bridge."""

    charges: PublicText
    what: PublicText
    side: PublicText

    def apply(self, state: State) -> State:
        return replace(state, cut=state.cut | {self.charges})

    def narrate(self, state: State) -> str:
        return f"{state.words.sentence_start(self.side, 'charges')}. Cut: {self.what} stays."

    def weight(self) -> int:
        return SURPRISE


class Toggled(Event, frozen=True, kw_only=True, tag="toggled"):
    """A special rule of the scenario, such as dust, begins or ends with a card."""

    name: PublicText
    on: bool

    def apply(self, state: State) -> State:
        toggled = state.toggled - {self.name}
        if self.on:
            toggled |= {self.name}
        return replace(state, toggled=toggled)

    def narrate(self, state: State) -> str:
        begins_or_ends = "ends"
        if self.on:
            begins_or_ends = "begins"
        return f"{self.name.capitalize()} {begins_or_ends}."

    def weight(self) -> int:
        return SURPRISE
