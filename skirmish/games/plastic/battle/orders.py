"""What players order. Rows are named ``side/contingent/unit``: pools, not men.

A ``piece`` is given only where it matters which model is meant (cargo, fuel, a weapon lost);
left out, the program takes the first that fits.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.tabletop.chance import Draw, Source

Level = Literal["referee", "clerk", "ledger"]
"""How a side uses the program: it draws; draws are typed in; only losses and clock are kept."""


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """Anything a player can want."""


# ------------------------------------------------------------------ fire


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """One shot. What eyes see belongs to the shot and is kept nowhere else.

    ``close``: within 3 in. ``grouped``: the man aimed at touches friends. ``apart``: in phases 3
    and 4, at someone not in contact (P48). ``insist`` fires although the rules advise against it.
    """

    shooter: str
    target: str
    weapon: str | None = None
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    grouped: bool = True
    apart: bool = False
    insist: bool = False


class Volley(Fire, frozen=True, kw_only=True, tag="volley"):
    """``count`` of a row fire one after the other at a group with ``reach`` men in it (None: all
    that the row has; of models, one). Whoever finds nobody left to hit has not fired."""

    count: int
    reach: int | None = None


class Again(Order, frozen=True, kw_only=True, tag="again"):
    """The repeat shot that is open, at ``target`` (None: the same row as before)."""

    target: str | None = None
    cover: bool = False
    close: bool = False
    grouped: bool = True


class Hold(Order, frozen=True, tag="hold"):
    """Let the open repeat shot go."""


class Rejudge(Order, frozen=True, kw_only=True, tag="rejudge"):
    """A shot of this player turn under other circumstances: the same card, read anew. ``draw`` is
    what a player's own card or roll really was; ``insist``: although that card had gone. ``chain``:
    if it misses now, the repeat shots that followed are taken back. ``volley``: all the shots of
    its volley; ``suits`` are those that nobody told of them, by the number of the shot."""

    shot: int
    draw: Draw | None = None
    insist: bool = False
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    grouped: bool = True
    chain: bool = False
    volley: bool = False
    suits: dict[int, str] = {}


# ------------------------------------------------------------------ answers


class Show(Order, frozen=True, tag="show"):
    """Cards or dice that a player has drawn himself, in their order. A card without a suit is
    enough where its colour changes nothing. ``insist``: although one of them has gone."""

    draws: tuple[Draw, ...]
    insist: bool = False


class CountHits(Order, frozen=True, kw_only=True, tag="count_hits"):
    """What a volley that waits for its draws came to: of ``fired`` (None: all) ``low`` drew a rank
    that hits; cover or hull down saved, or would save, from ``saved`` of these. ``aces`` are among
    those that hit; ``broken`` broke down. ``anew`` is a count of this player turn to be put right,
    with what was seen. What was typed card by card of its volley is judged again with it; ``suits``
    are those that nobody told of these, by the number of the shot."""

    low: int
    saved: int = 0
    aces: int = 0
    broken: int = 0
    fired: int | None = None
    anew: int = 0
    cover: bool = False
    hull_down: bool = False
    suits: dict[int, str] = {}


class Give(Order, frozen=True, tag="give"):
    """The defender's choice: a man of each row named dies; further ones as proposed."""

    rows: tuple[str, ...] = ()


class Point(Order, frozen=True, tag="point"):
    """Which model it is, where the program asks."""

    piece: str


class Inside(Order, frozen=True, tag="inside"):
    """Who was aboard of the model just lost, where nothing was recorded."""

    riders: dict[str, int] = {}


class Choose(Order, frozen=True, tag="choose"):
    """One of several things that a table allows, by its place in the list."""

    option: int


# ------------------------------------------------------------------ the other business of a turn


class GroupMoved(Order, frozen=True, kw_only=True, tag="group_moved"):
    """A unit or group of the moving side has moved: its command draw ("Troop Quality")."""

    insist: bool = False


class Dig(Order, frozen=True, kw_only=True, tag="dig"):
    """A group of four or more tries to entrench; ``engineers``: one is among them, or alone."""

    side: str
    engineers: bool = False
    insist: bool = False


class ClearWire(Order, frozen=True, tag="clear_wire"):
    """An engineer who touched wire and did not move takes a segment away."""

    side: str
    insist: bool = False


class PinTest(Order, frozen=True, tag="pin_test"):
    """A pin draw by hand, for a group of ``side``."""

    side: str


class MarkPinned(Order, frozen=True, tag="mark_pinned"):
    """By hand: takes a pin off a row that has one, else puts one on it."""

    row: str


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """Men and cannon (by row and number) get into a model of ``carrier``'s row."""

    carrier: str
    riders: dict[str, int]
    piece: str | None = None
    insist: bool = False


class Unload(Order, frozen=True, kw_only=True, tag="unload"):
    """All who are aboard get out."""

    carrier: str
    piece: str | None = None
    insist: bool = False


class Exit(Order, frozen=True, kw_only=True, tag="exit"):
    """So many of a row leave the table for good, with whom they carry; ``counts``: where it counts
    for victory."""

    row: str
    count: int = 1
    piece: str | None = None
    counts: bool = True
    insist: bool = False


class Enter(Order, frozen=True, kw_only=True, tag="enter"):
    """Reinforcements come on: all who still wait, or ``units`` (by row and number)."""

    contingent: str
    units: dict[str, int] = {}
    insist: bool = False


class CallTable(Order, frozen=True, tag="call_table"):
    """The draws on the scenario's tables with which a turn of the side that moves begins, by hand:
    they were forgotten, or the clock was set past them."""


class Serve(Order, frozen=True, kw_only=True, tag="serve"):
    """So many of a row have been served (refuelled)."""

    row: str
    count: int = 1
    piece: str | None = None
    insist: bool = False


class Reveal(Order, frozen=True, kw_only=True, tag="reveal"):
    """So many hidden ones of a row are put on the table."""

    row: str
    count: int = 1


class Convert(Order, frozen=True, kw_only=True, tag="convert"):
    """So many of a row become what the scenario lets them become (a gun abandoned)."""

    row: str
    count: int = 1


class Count(Order, frozen=True, kw_only=True, tag="count"):
    """What eyes count for victory, by side id: guys on the bridge, buildings held."""

    values: dict[str, int]


# ------------------------------------------------------------------ the book kept right


class Correct(Order, frozen=True, kw_only=True, tag="correct"):
    """``by`` less than 0: so many of the row are lost without a shot; more: stand again."""

    row: str
    by: int


class Add(Order, frozen=True, kw_only=True, tag="add"):
    """More of a row than the battle knew of."""

    row: str
    count: int = 1


class Note(Order, frozen=True, tag="note"):
    """Words of the players' own."""

    text: str


class Seal(Order, frozen=True, kw_only=True, tag="seal"):
    """What a side wants to be able to prove later: text that is shown only when it is opened."""

    side: str
    text: str


class Unseal(Order, frozen=True, tag="unseal"):
    """Open what a side has sealed."""

    side: str


# ------------------------------------------------------------------ clock, chance, rules, end


class EndPhase(Order, frozen=True, tag="end_phase"):
    """On to the next phase; after the fourth, the other side's turn."""


class EndTurn(Order, frozen=True, tag="end_turn"):
    """The player turn is over, whatever its phase."""


class SetClock(Order, frozen=True, kw_only=True, tag="set_clock"):
    """The clock as it really stands; nothing else changes."""

    turn: int
    side: str
    phase: int


class SetLevel(Order, frozen=True, kw_only=True, tag="set_level"):
    """How a side uses the program from now on. ``source``: its deck or die, a fresh one."""

    side: str
    level: Level
    source: Source


class Command(Order, frozen=True, kw_only=True, tag="command"):
    """The name of who commands a side; empty: nobody's is given."""

    side: str
    player: str


class Switch(Order, frozen=True, kw_only=True, tag="switch"):
    """Play with an optional rule, or without."""

    option: str
    on: bool


class SetQuality(Order, frozen=True, kw_only=True, tag="set_quality"):
    """The force quality of a side; None: none is played."""

    side: str
    quality: str | None


class Finish(Order, frozen=True, kw_only=True, tag="finish"):
    """The players agree that it is over: who won (None: nobody) and why."""

    winner: str | None
    reason: str = ""


class PlayOn(Order, frozen=True, kw_only=True, tag="play_on"):
    """The battle goes on although the program has ended it; from now on only players end it.
    ``anew``: because what ended it holds no more, so the program may end it again."""

    anew: bool = False


Answer = Show | CountHits | Give | Point | Inside | Choose | Again | Hold
AnyOrder = (
    Fire
    | Volley
    | Again
    | Hold
    | Rejudge
    | Show
    | CountHits
    | Give
    | Point
    | Inside
    | Choose
    | GroupMoved
    | Dig
    | ClearWire
    | PinTest
    | MarkPinned
    | Load
    | Unload
    | Exit
    | Enter
    | CallTable
    | Serve
    | Reveal
    | Convert
    | Count
    | Correct
    | Add
    | Note
    | Seal
    | Unseal
    | EndPhase
    | EndTurn
    | SetClock
    | SetLevel
    | Command
    | Switch
    | SetQuality
    | Finish
    | PlayOn
)
