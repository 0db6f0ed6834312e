"""The book kept right by hand: losses without a shot, pieces that were forgotten, notes, secrets,
and what is played from now on."""

from __future__ import annotations

from base64 import b85decode, b85encode
from zlib import compress, decompressobj, error

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.rows import Row, named, newly_made, row_of
from skirmish.games.plastic.battle.setup import Level
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Source
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

LONGEST_NOTE = 500
LONGEST_NAME = 20
MOST_AT_ONCE = 99


class Correct(Order, frozen=True, kw_only=True, tag="correct"):
    """``by`` less than 0: so many of the row are lost without a shot; more: stand again."""

    when = "beside"

    row: str
    by: int

    def carry_out(self, run: Resolution) -> None:
        row = named(run.state, self.row)
        if not self.by:
            raise nonsense("nothing", "Say how many: 1 or more.")
        if self.by < 0:
            gone, left = -self.by, len(row.alive)
            if gone > left:
                text = f"Only {row.unit.named(left)} left, not {gone}"
                raise nonsense("too_few", f"{text}; + brings men back or adds more.")
            for piece in _first_to_go(run.state, row)[:gone]:
                run.lose_with_riders(piece, None)
            run.look_for_victory()
            return
        # Of the dead, who died last was miscounted most likely; those who left come after them.
        gone_last = [*reversed(run.state.lost), *reversed(run.state.exited)]
        down = [piece for piece in gone_last if row_of(run.state, piece) == self.row]
        if self.by > len(down):
            text = f"Only {row.unit.named(len(down))} lost, not {self.by}."
            raise Refused(Refusal("all_stand", text))
        for piece in down[: self.by]:
            run.emit(events.Stood(piece=piece))


def _first_to_go(state: State, row: Row) -> list[str]:
    """In sight, empty models before loaded ones, then hidden, aboard, still to come."""
    here = sorted(row.on_foot, key=lambda one: (one in row.hidden, len(state.riders_of(one))))
    return [*here, *row.aboard, *row.waiting]


class Add(Order, frozen=True, kw_only=True, tag="add"):
    row: str
    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        name, setup = row_named(self.row), run.state.setup
        group = setup.contingent_by_id.get(name.contingent) if name else None
        known = name and group and group.side == name.side and name.unit in setup.catalog.units
        if name is None or not known:
            raise nonsense("unknown_row", f"There is no row called {self.row!r}.")
        if not 1 <= self.count <= MOST_AT_ONCE:
            text = f"1 to {MOST_AT_ONCE} can be added at once, not {self.count}."
            raise nonsense("bad_count", text)
        pieces = newly_made(run.state, name.side, name.contingent, {name.unit: self.count})
        run.emit(events.Added(pieces=pieces, why="by hand"))


class Note(Order, frozen=True, tag="note"):
    when = "always"
    in_journal = "beside"

    text: str

    def carry_out(self, run: Resolution) -> None:
        run.emit(events.Noted(text=_text(self.text)))


class Seal(Order, frozen=True, kw_only=True, tag="seal"):
    when = "beside"

    side: str
    text: str

    def carry_out(self, run: Resolution) -> None:
        run.known_side(self.side)
        run.emit(events.Sealed(side=self.side, envelope=enveloped(_text(self.text))))


class Unseal(Order, frozen=True, tag="unseal"):
    when = "always"
    in_journal = "beside"

    side: str

    def carry_out(self, run: Resolution) -> None:
        envelope = run.state.sealed.get(self.side)
        if envelope is None:
            raise nonsense("nothing_sealed", "That side has sealed no secret.")
        run.emit(events.Unsealed(side=self.side, text=opened(envelope)))


def enveloped(text: str) -> str:
    """A text that no eye reads in passing: packed, not encrypted."""
    return b85encode(compress(text.encode("utf-8", "replace"))).decode("ascii")


def opened(envelope: str) -> str:
    """The text of ``enveloped``; raises ValueError where it is no envelope."""
    unpacking = decompressobj()
    try:
        unpacked = unpacking.decompress(b85decode(envelope), 4 * LONGEST_NOTE)
    except error:
        unpacked = b""
    if not unpacking.eof:
        raise ValueError("what is sealed cannot be opened")
    return unpacked.decode("utf-8")


def _text(text: str) -> str:
    words = text.strip()
    if not words:
        raise nonsense("nothing", "The note is empty.")
    if len(words) > LONGEST_NOTE:
        raise nonsense("too_long", f"A note may have {LONGEST_NOTE} characters, not {len(words)}.")
    return words


class SetLevel(Order, frozen=True, kw_only=True, tag="set_level"):
    when = "beside"
    not_void = "This cannot be made void; I changes the level again."

    side: str
    level: Level
    source: Source

    def carry_out(self, run: Resolution) -> None:
        run.known_side(self.side)
        setup = run.state.setup
        if self.level != "ledger" and self.source.typed == (self.level == "referee"):
            text = "As referee the program draws; as clerk it takes what you type."
            raise nonsense("bad_source", text)
        if setup.scenario and setup.scenario.cards_only and self.source.kind == "die":
            raise nonsense("cards_only", "This scenario is played with cards, not dice.")
        shared = setup.rulings["P23"] != "own_decks"
        for side in setup.sides if shared else [setup.side_by_id[self.side]]:
            run.emit(events.LevelSet(side=side.id, level=self.level, source=self.source))
        ask = run.state.ask
        if isinstance(ask, agenda.DrawAsk) and (shared or ask.side == self.side):
            # Asked anew, of the new source; what a ledger would draw for is settled at the table.
            run.hold(() if self.level == "ledger" else run.state.agenda)
            run.go_on()


class Command(Order, frozen=True, kw_only=True, tag="command"):
    side: str
    player: str

    def carry_out(self, run: Resolution) -> None:
        run.known_side(self.side)
        name = " ".join(self.player.split())
        if len(name) > LONGEST_NAME:
            text = f"A commander's name may have {LONGEST_NAME} characters, not {len(name)}."
            raise nonsense("too_long", text)
        run.emit(events.Commanded(side=self.side, player=name))


class Switch(Order, frozen=True, kw_only=True, tag="switch"):
    when = "beside"

    option: str
    on: bool

    def carry_out(self, run: Resolution) -> None:
        if self.option in {kind.state for kind in run.state.setup.toggling.values()}:
            run.emit(events.Toggled(name=self.option, on=self.on))
            return
        if self.option not in Options.__struct_fields__:
            names = ", ".join(Options.__struct_fields__)
            text = f"There is no option {self.option!r}; choose from {names}."
            raise nonsense("unknown_option", text)
        run.emit(events.Switched(option=self.option, on=self.on))
        run.look_for_victory()


class SetQuality(Order, frozen=True, kw_only=True, tag="set_quality"):
    when = "beside"

    side: str
    quality: str | None

    def carry_out(self, run: Resolution) -> None:
        run.known_side(self.side)
        known = run.state.setup.catalog.qualities
        if self.quality is not None and self.quality not in known:
            text = f"There is no quality {self.quality!r}; choose from {', '.join(known)}."
            raise nonsense("unknown_quality", text)
        run.emit(events.QualitySet(side=self.side, quality=self.quality))
