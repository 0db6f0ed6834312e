"""What players write down or agree on beside the play: notes and sealed secrets, who commands a
side and draws for it, options of the rules, and force quality."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.orders.resolution import (
    Order,
    OrderOfSide,
    Resolution,
    both_sides,
)
from skirmish.games.plastic.battle.setup import CARDS_ONLY, Level
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Source
from skirmish.tabletop.refusal import nonsense

LONGEST_NOTE, LONGEST_NAME = 500, 20
"""The most characters of a note or a secret, and of a commander's name."""


class AddNote(Order, frozen=True, tag="note"):
    """The players write a note into the journal."""

    begun_by = "both sides"
    when = "always"
    in_journal = "beside"

    text: str

    def carry_out(self, run: Resolution) -> None:
        run.emit(events.NoteAdded(text=_checked_words(self.text, "note")))

    def given_by(self, state: State) -> tuple[str, ...]:
        return both_sides(state)


class Seal(OrderOfSide, frozen=True, kw_only=True, tag="seal"):
    """A side writes down a secret, which nobody reads until it is unsealed, to prove it then."""

    begun_by = "both sides"
    when = "any time"

    text: str

    def carry_out(self, run: Resolution) -> None:
        secret = _checked_words(self.text, "secret")
        run.emit(events.Sealed(side=self.side, envelope=events.enveloped(secret)))

    @property
    def concealed(self) -> Seal:
        return replace(self, text="")


class Unseal(OrderOfSide, frozen=True, tag="unseal"):
    """A side unseals its secret, and all can read it."""

    when = "always"
    in_journal = "beside"

    def carry_out(self, run: Resolution) -> None:
        envelope = run.state.sealed.get(self.side)
        if envelope is None:
            raise nonsense("nothing_sealed", "That side has sealed no secret.")
        run.emit(events.Unsealed(side=self.side, text=events.unpacked(envelope)))


def _checked_words(text: str, kind: str) -> str:
    """The text without blanks around it. Raises Refused if it is empty or too long. ``kind``: what
    the refusal calls it: ``note``, ``secret``."""
    words = text.strip()
    if not words:
        raise nonsense("nothing", f"The {kind} is empty.")
    if len(words) > LONGEST_NOTE:
        too_long = f"A {kind} may have {LONGEST_NOTE} characters, not {len(words)}."
        raise nonsense("too_long", too_long)
    return words


class SetLevel(Order, frozen=True, kw_only=True, tag="set_level"):
    """Who draws for a side from now on, and from what. As ``referee`` the program draws, as
    ``clerk`` it takes draws that are typed in, and as ``ledger`` it only records the losses."""

    when = "any time"
    why_never_void = "This cannot be made void; I changes the level again."

    side: str
    level: Level
    source: Source

    def carry_out(self, run: Resolution) -> None:
        self._refuse_unfit_source(run.state)
        sides: tuple[str, ...] = (self.side,)
        # From one deck both sides draw in the same way.
        if run.state.setup.rulings["P23"] != "own_decks":
            sides = both_sides(run.state)
        for side in sides:
            run.emit(events.LevelSet(side=side, level=self.level, source=self.source))
        self._ask_again_for_draw(run, sides)

    def _refuse_unfit_source(self, state: State) -> None:
        """Raises Refused for a source that does not go with the level or the scenario."""
        setup = state.setup
        # The draws of a clerk are typed in, those of a referee are not. A ledger has no draws, so
        # any source will do.
        must_type = self.level == "clerk"
        if self.level != "ledger" and self.source.typed != must_type:
            text = "As referee the program draws; as clerk it takes what you type."
            raise nonsense("bad_source", text)
        if setup.scenario and setup.scenario.cards_only and self.source.kind == "die":
            raise nonsense("cards_only", CARDS_ONLY)

    def _ask_again_for_draw(self, run: Resolution, sides: Sequence[str]) -> None:
        """If one of these sides was asked for a draw, ask again for a draw from the new source. A
        ledger has no draws: what was to be drawn is settled at the table."""
        ask = run.state.ask
        if not isinstance(ask, agenda.DrawAsk) or ask.side not in sides:
            return
        if self.level == "ledger":
            run.go_on(instead=())
        else:
            # The open question is closed, and the first task of the agenda, which had asked it,
            # is done again.
            run.go_on(instead=run.state.agenda)

    @property
    def concealed(self) -> SetLevel:
        """The order without anything that would give away the next draws."""
        return replace(self, source=self.source.concealed)


class NameCommander(Order, frozen=True, kw_only=True, tag="command"):
    """The players say who plays a side; an empty ``player``: nobody in particular."""

    side: str
    player: str

    def carry_out(self, run: Resolution) -> None:
        name = " ".join(self.player.split())
        if len(name) > LONGEST_NAME:
            text = f"A commander's name may have {LONGEST_NAME} characters, not {len(name)}."
            raise nonsense("too_long", text)
        run.emit(events.Commanded(side=self.side, player=name))


class Switch(Order, frozen=True, kw_only=True, tag="switch"):
    """Turns an option of the rules on or off, or a state that cards bring, such as a sandstorm."""

    when = "any time"

    option: str
    on: bool

    def carry_out(self, run: Resolution) -> None:
        toggled_by_cards = {toggle.state for toggle in run.state.setup.toggling.values()}
        if self.option in toggled_by_cards:
            run.emit(events.Toggled(name=self.option, on=self.on))
            return
        if self.option not in Options.__struct_fields__:
            names = ", ".join(Options.__struct_fields__)
            text = f"There is no option {self.option!r}; choose from {names}."
            raise nonsense("unknown_option", text)
        run.emit(events.Switched(option=self.option, on=self.on))
        # Nationalities change what jeeps and trucks count toward the break point.
        run.look_for_victory()


class SetQuality(Order, frozen=True, kw_only=True, tag="set_quality"):
    """A side's force has another quality from now on; None: it is played without one."""

    when = "any time"

    side: str
    quality: str | None

    def carry_out(self, run: Resolution) -> None:
        qualities = run.state.setup.catalog.qualities
        if self.quality is not None and self.quality not in qualities:
            text = f"There is no quality {self.quality!r}; choose from {', '.join(qualities)}."
            raise nonsense("unknown_quality", text)
        run.emit(events.QualitySet(side=self.side, quality=self.quality))
