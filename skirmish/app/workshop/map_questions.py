"""What the map page of the workshop asks in windows: where to go, whose zone is laid, what a
feature is called."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from string import ascii_uppercase
from typing import get_args

from skirmish.app.asking import OfferedChoice
from skirmish.app.workshop.asker import Asker, any_text, not_empty
from skirmish.app.workshop.edited_scenario import EditedScenario
from skirmish.app.workshop.map_board import MapBoard, MapRequest
from skirmish.app.workshop.map_tool import FeatureKind, LayingDetails
from skirmish.games.plastic.rules.firing_table import ranges_of
from skirmish.games.plastic.scenarios.grid import FOOT
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.scenarios.own import as_printed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of, with_map
from skirmish.games.plastic.workshop.feature_commands import MIRRORS
from skirmish.games.plastic.workshop.feature_text import values_of, with_values
from skirmish.tabletop import map_motions
from skirmish.tabletop.battlefield import MarkKind
from skirmish.tabletop.measure import inches
from skirmish.tabletop.plane import Point

PLACE_EXAMPLES = "square such as E3, or inches such as 54,31."
"""How a place of the table is typed, after ``A`` or ``Type a``."""


class MapQuestions:
    """Asks what the map ``board`` needs to know. An answer changes the board, or leads to a changed
    scenario, which is returned for the screen to store."""

    def __init__(self, asker: Asker, edited: EditedScenario, board: MapBoard) -> None:
        self._asker = asker
        self._edited = edited
        self._board = board

    async def answer(self, request: MapRequest) -> Scenario | None:
        """The scenario as the answer changes it; None if only the board changes, or nothing."""
        match request:
            case "place":
                await self._go_to_typed_place()
            case "values":
                await self._type_values_of_taken()
            case "weapon":
                await self._show_range()
            case "mirror":
                return await self._mirrored()
        return None

    async def begin_laying(self, kind: FeatureKind) -> None:
        """Ask for what must be known of a feature before it is laid, then begin to lay it."""
        details = await self._details_of(kind)
        if details is not None:
            self._board.begin(kind, details)

    # ------------------------------------------------------------------ requests

    async def _go_to_typed_place(self) -> None:
        """Ask for a square or for inches, and move the cursor there."""
        typed = await self._asker.text("Go to", f"A {PLACE_EXAMPLES}", place_in)
        if typed is not None:
            self._board.tool.go_to(place_in(typed))
            self._board.repaint()

    async def _type_values_of_taken(self) -> None:
        """Ask for what the taken feature has besides its places, and change it: a mark's letter, a
        house's number, which way a tank faces."""
        taken = self._board.tool.taken
        if taken is None:
            return
        typed = await self._asker.text(
            "Its values",
            "Change what stands after each equals sign. Empty values are left out.",
            partial(with_values, taken.part),
            at_first=values_of(taken.part),
        )
        if typed is not None:
            taken.part = with_values(taken.part, typed)
            self._board.repaint()

    async def _show_range(self) -> None:
        """Ask for a weapon, and draw its ranges around the cursor."""
        catalog = self._edited.rules.catalog
        weapons = catalog.with_variants(self._edited.scenario.variants).weapons
        choices = []
        for weapon_id, weapon in weapons.items():
            ranges = [inches(reach) for reach in ranges_of([weapon])]
            words = f"{weapon.name}, {' and '.join(ranges)}"
            choices.append(OfferedChoice(weapon_id, words))
        chosen = await self._asker.choose("The range of which weapon?", choices)
        if chosen is not None:
            self._board.tool.rings = ranges_of([weapons[chosen]])
            self._board.repaint()

    async def _mirrored(self) -> Scenario | None:
        """The scenario with its whole map mirrored or turned, as the player chooses; None if the
        player gives up."""
        ways = [  # by the names of ``MIRRORS``
            OfferedChoice("left-right", "Left becomes right"),
            OfferedChoice("top-bottom", "Top becomes bottom"),
            OfferedChoice("half-turn", "Turn it by half"),
        ]
        way = await self._asker.choose("The whole map", ways)
        if way is None:
            return None
        scenario = self._edited.scenario
        motion_for = MIRRORS[way]
        motion = motion_for(self._board.tool.size)
        return with_map(scenario, map_motions.with_all_moved(map_of(scenario), motion))

    # ------------------------------------------------------------------ before laying

    async def _details_of(self, kind: FeatureKind) -> LayingDetails | None:
        """Ask what must be known of a feature before it is laid; None if the player gives up."""
        match kind.name:
            case "zone" | "arrow":
                return await self._details_of_zone_or_arrow(kind)
            case "mark":
                return await self._details_of_mark()
            case "name":
                question = "What is written there?"
                text = await self._asker.text("A name on the map", question, not_empty)
            case "distance":
                question = "What does it mean or forbid, in a few words? It may be empty."
                text = await self._asker.text("A distance", question, any_text)
            case _:
                return LayingDetails()
        if text is None:
            return None
        return LayingDetails(text=as_printed(text.strip()))

    async def _details_of_zone_or_arrow(self, kind: FeatureKind) -> LayingDetails | None:
        """Ask whose it is; a zone also gets its letter. None if the player gives up."""
        side = await self._asker.choose(f"Whose {kind.name} is it?", self._sides())
        if side is None:
            return None
        letter = ""
        if kind.name == "zone":
            letter = self._free_letter()
        return LayingDetails(side=side, letter=letter)

    async def _details_of_mark(self) -> LayingDetails | None:
        """Ask what stands there, and whose it is. None if the player gives up."""
        kinds = [OfferedChoice(kind, kind_name(kind)) for kind in get_args(MarkKind)]
        mark_kind = await self._asker.choose("What stands there?", kinds)
        if mark_kind is None:
            return None
        nobody = OfferedChoice("", "Nobody’s")
        owners = [*self._sides(), nobody]
        owner = await self._asker.choose("Whose is it?", owners)
        if owner is None:
            return None
        return LayingDetails(kind=mark_kind, side=owner)

    def _sides(self) -> list[OfferedChoice]:
        """The sides to choose from, each by the name of its people."""
        # The id of a side is that of its nation.
        nations = self._edited.rules.catalog.nations
        sides = self._edited.scenario.sides
        return [OfferedChoice(side.id, nations[side.id].people) for side in sides]

    def _free_letter(self) -> str:
        """The first letter that no zone has; Z if all are taken. The workshop lists two zones with
        one letter as a mistake, which the player can mend."""
        taken_letters = map_of(self._edited.scenario).zone_letters
        for letter in ascii_uppercase:
            if letter not in taken_letters:
                return letter
        return ascii_uppercase[-1]


def place_in(text: str) -> Point:
    """The place of the table that a text names: the middle of a square (``E3``), or inches from the
    lower left corner (``54,31.5``). Raises ValueError with a sentence."""
    square = re.fullmatch(r"(?P<column>[A-Za-z])(?P<row>[0-9]{1,2})", text.strip())
    if square:
        # Columns go from A at the left, rows from 1 at the bottom.
        column = ascii_uppercase.index(square["column"].upper())
        row = int(square["row"]) - 1
        to_middle = FOOT / 2
        return column * FOOT + to_middle, row * FOOT + to_middle
    typed_inches = re.fullmatch(r"(?P<across>-?[0-9.]+)[ ,]+(?P<upward>-?[0-9.]+)", text.strip())
    if typed_inches:
        with suppress(ValueError):  # the pattern allows 1.2.3, which is no number
            return float(typed_inches["across"]), float(typed_inches["upward"])
    raise ValueError(f"Type a {PLACE_EXAMPLES}")
