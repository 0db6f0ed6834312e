"""The rows of the army builder: each piece on offer with its letter, price, moves, ranges, kills
and count. Also the sentences about the chosen row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

from textual.content import Content

from skirmish.app.host import Host
from skirmish.app.text_rows import padded
from skirmish.app.text_styles import DIM, KEY, STRONG
from skirmish.games.plastic.rules.advice import PieceOffer
from skirmish.games.plastic.rules.army import Army, figures
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE as DASH
from skirmish.games.plastic.rules.firing_table import (
    Firing,
    FiringEntry,
    ranges_of,
    without_signs,
)
from skirmish.games.plastic.rules.limits import whole_or_half
from skirmish.tabletop.measure import number_in_measure
from skirmish.tabletop.typed import plain

TextParts: TypeAlias = "list[Content | str | tuple[str, str]]"
"""The parts of a text, as ``Content.assemble`` takes them; a tuple is a text with its style."""
COMMAND_LETTERS = "f"
"""Lower-case letters that are commands of the builder and cannot name a row: ``f``, Fill."""
ROW_LETTERS = "".join(letter for letter in ascii_lowercase if letter not in COMMAND_LETTERS)
WIDTH_WITH_KILLS = 64
"""Columns of a row from which it also shows what its weapon kills."""
LEAST_NAME = 8
"""The fewest columns of a piece's name."""
NO_KILLS = ("", "", "")
"""The kills of a piece without weapons."""


def row_letters(offers: Iterable[PieceOffer]) -> dict[str, str]:
    """A letter for each piece on offer, by the piece's id: that of the piece in the rules, one of
    its name, or any unused one. A piece that gets none is reached by the arrows."""
    pieces = [offer.piece for offer in offers]
    letter_of: dict[str, str] = {}
    unused = list(ROW_LETTERS)

    def give_first_unused(piece: UnitType | Work, wishes: Iterable[str]) -> None:
        for letter in wishes:
            if letter in unused:
                letter_of[piece.id] = letter
                unused.remove(letter)
                return

    # Every piece gets the letter of the rules before any takes one for the sake of its name.
    for piece in pieces:
        give_first_unused(piece, piece.letter)
    for piece in pieces:
        if piece.id not in letter_of:
            give_first_unused(piece, piece.name.lower())
    for piece in pieces:
        if piece.id not in letter_of:
            give_first_unused(piece, ROW_LETTERS)
    return letter_of


@dataclass(frozen=True)
class ArmyWeapons:
    """What the weapons of an army reach and kill, with distances in the player's unit."""

    host: Host
    army: Army

    def firing_entries(self, piece: UnitType | Work) -> list[FiringEntry]:
        """The entries of the firing table for the weapons of a piece."""
        if isinstance(piece, Work):
            return []
        return Firing(self.army.catalog, self.army.rulings, self.army.nation).entries(piece)

    def ranges(self, unit: UnitType) -> str:
        """The ranges of its weapons, ``12/24``; a dash for a unit without any."""
        ranges = ranges_of(self.army.catalog.weapons_of(unit, self.army.rulings))
        return "/".join(self.number(distance) for distance in ranges) or DASH

    def number(self, distance: float) -> str:
        """A distance in inches as a number without a unit, for which a column has no room."""
        return number_in_measure(self.host.settings.measure, distance)

    def effect(self, entry: FiringEntry) -> str:
        """How far a weapon reaches, and which cards kill what: ``12 in: guys A-5, unarmored A-2``.
        What it cannot kill is left out."""
        kills = []
        for target, cards in _kills_by_target(entry).items():
            if cards != DASH:
                kills.append(f"{target} {without_signs(cards)}")
        return f"{self.host.measured(entry.reach)}: {', '.join(kills)}"

    def effects_in_words(self, piece: UnitType | Work) -> str:
        """The effects of all weapons of a piece, in one sentence; empty for a piece without any."""
        effects = []
        for entry in self.firing_entries(piece):
            effects.append(f"{entry.weapon} {self.effect(entry)}")
        return "; ".join(effects)


def _kills_by_target(entry: FiringEntry) -> dict[str, str]:
    """The cards that kill, by what the weapon fires at, in the order of the columns."""
    return {"guys": entry.guys, "armored": entry.armored, "unarmored": entry.unarmored}


class RowCells(NamedTuple):
    """The cells of a row, from left to right."""

    letter: str
    name: str
    price: str
    """In points."""
    moves: str
    ranges: str
    """Moves and ranges are in the player's unit."""
    kills: Iterable[str]
    """The cards that kill guys, armored and unarmored models."""
    have: str
    """How many the army or the group has."""
    more: str
    """How many more are allowed."""


@dataclass(frozen=True)
class OfferRows:
    """The rows of all offers, in ``width`` columns."""

    weapons: ArmyWeapons
    letters: Mapping[str, str]
    """The letter of each row, by the id of its piece."""
    width: int
    typed_piece: str
    """The id of the piece whose count is being typed; empty: none is."""

    def titles(self, *, in_group: bool) -> Content:
        """The titles above the rows. Those of a group count what is in it, and what is left."""
        have, more = "HAVE", "MORE"
        if in_group:
            have, more = "HERE", "LEFT"
        titles = RowCells(
            letter="",
            name="",
            price="PTS",
            moves="MOVE",
            ranges="RANGE",
            kills=("GUYS", "ARMOR", "UNARM"),
            have=have,
            more=more,
        )
        return Content.styled(self._laid_out(titles), DIM)

    def row(self, offer: PieceOffer) -> Content:
        """The row of a piece: bold if there are some of it, dim if there can be none."""
        is_typed = offer.piece.id == self.typed_piece
        text = self._laid_out(self._cells(offer))
        if offer.count or is_typed:
            style = STRONG
        elif _is_sold(offer) and offer.more:
            style = ""
        else:
            style = DIM
        letter, rest = text[0], text[1:]
        return Content.assemble((letter, KEY), (rest, style))

    def _cells(self, offer: PieceOffer) -> RowCells:
        """The cells of the row of a piece."""
        piece = offer.piece
        moves = ranges = ""
        if isinstance(piece, UnitType):
            moves = self._moves(piece)
            ranges = self.weapons.ranges(piece)
        kills: Iterable[str] = NO_KILLS
        entries = self.weapons.firing_entries(piece)
        if entries:
            first_weapon = entries[0]  # a row has no room for the others
            kills = _kills_by_target(first_weapon).values()
        more = "no"
        if _is_sold(offer):
            more = str(offer.more)
        return RowCells(
            letter=self.letters.get(piece.id, " "),
            name=piece.name,
            price=str(self.weapons.army.price(piece.id)),
            moves=moves,
            ranges=ranges,
            kills=kills,
            have=_count_cell(offer, is_typed=piece.id == self.typed_piece),
            more=more,
        )

    def _moves(self, unit: UnitType) -> str:
        """The moves of a unit across country, on a road, on the water, ``8/12/6w``; a dash
        if it cannot move."""
        moves = []
        if unit.move:
            moves.append(self.weapons.number(unit.move))
        if unit.road_move:
            moves.append(self.weapons.number(unit.road_move))
        if unit.water_move:
            moves.append(f"{self.weapons.number(unit.water_move)}w")
        return "/".join(moves) or DASH

    def _laid_out(self, cells: RowCells) -> str:
        """The cells in their columns; the name takes what the others leave."""
        letter = f"{cells.letter:<2}"
        right = f"{cells.price:>4}{cells.moves:>6}{cells.ranges:>6}"
        if self.width >= WIDTH_WITH_KILLS:
            right += "".join(f"{kill:>7}" for kill in cells.kills)
        right += f" {cells.have:>6} {cells.more:>4}"
        name_width = max(LEAST_NAME, self.width - len(letter) - len(right))
        return f"{letter}{padded(plain(cells.name), name_width)}{right}"


def _is_sold(offer: PieceOffer) -> bool:
    """Whether this army may buy the piece at all: it is not for other nations only, and it is for
    sale in this game."""
    return offer.section not in ("elsewhere", "not_sold")


def _count_cell(offer: PieceOffer, *, is_typed: bool) -> str:
    """How many are paid for, and how many come free with them: ``12+3``; a dot for none. An
    underscore is the cursor behind a number that is being typed."""
    if not (offer.count or offer.free or is_typed):
        return "·"
    count = str(offer.count)
    if is_typed:
        count += "_"
    if offer.free:
        count += f"+{offer.free}"
    return count


@dataclass(frozen=True)
class ChosenOffer:
    """The sentences about the chosen row."""

    offer: PieceOffer
    weapons: ArmyWeapons
    owned: Mapping[str, int]
    """The player's own figures, by the ids of the pieces; empty if none are entered."""

    def about(self) -> Content:
        """Its weapons with what they kill, how many may ride in it, and the note of the rules."""
        piece = self.offer.piece
        parts: TextParts = []
        for entry in self.weapons.firing_entries(piece):
            parts += [(entry.weapon, STRONG), f" {self.weapons.effect(entry)}\n"]
        if isinstance(piece, UnitType) and piece.seats:
            parts.append(f"Carries {piece.seats}. ")
        parts.append((self.weapons.host.measured(piece.note), DIM))
        return Content.assemble(*parts)

    def room_in_words(self, *, in_group: bool) -> str:
        """How many more are allowed and by which limit, and how many are owned, if figures are
        entered; in a group, how many can still join it."""
        if in_group:
            ungrouped = self.offer.piece.named(self.offer.more)
            return f"{ungrouped} in no group. A higher number buys what is missing."
        text = self._room_in_army()
        if self.owned:
            text += self._owned_in_words()
        return text

    def _room_in_army(self) -> str:
        """Whether the army may buy more of the piece, how many, and by which limit."""
        offer = self.offer
        name, plural_name = offer.piece.name, plural(offer.piece.name)
        # Of the limits that the piece counts for, the one that allows the fewest more.
        gauge = offer.full_first
        if offer.section == "elsewhere":
            # This limit allows none of the piece, except to those who have it.
            return f"{plural_name}: only the {gauge.owners} have them."
        if offer.section == "not_sold":
            return f"{plural_name} cannot be bought for this game."
        limit = f"(limit: {gauge.label}, {whole_or_half(gauge.allowed)})."
        if offer.more == 0:
            return f"No room for more {plural_name} {limit}"
        if offer.more == 1:
            return f"Room for 1 more {name} {limit}"
        return f"Room for {offer.more} more {plural_name} {limit}"

    def _owned_in_words(self) -> str:
        """How many figures of it the player has, and how many the army needs beyond those."""
        piece = self.offer.piece
        owned = self.owned.get(piece.id, 0)
        lacking = figures(self.weapons.army).get(piece.id, 0) - owned
        if lacking > 0:
            return f" You own {piece.named(owned)}, {lacking} too few."
        return f" You own {piece.named(owned)}."
