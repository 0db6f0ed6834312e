"""What each ruling does.

The rules, their wording and the simulator use the properties below and never look at an answer
themselves, so that a ruling cannot mean one thing at the table and another in a million simulated
games.
The answers and their texts are in ``data/beach_head/rulings.toml``; every ruling with more than one
answer has its property here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class RulingsInForce(NamedTuple):
    """What the rulings of one game mean for its rules."""

    answers: Mapping[str, str]
    """The answer to each ruling, by its number: ``{"B2": "rolled"}``."""

    def _is_answered(self, ruling: str, answer: str) -> bool:
        return self.answers[ruling] == answer

    # ------------------------------------------------------------ losses and the end of the game

    @property
    def whole_roll_is_scored(self) -> bool:
        """B2: a roll that kills more squads than are ashore is scored as rolled."""
        return self._is_answered("B2", "rolled")

    @property
    def player_gives_the_tank(self) -> bool:
        """B13: the player, not chance, decides which tank without a flail meets the mine."""
        return self._is_answered("B13", "player")

    @property
    def wins_at_once(self) -> bool:
        """B18: the game ends in the middle of a turn, not only in its end phase."""
        return self._is_answered("B18", "at_once")

    # ------------------------------------------------------------ modifiers

    @property
    def bunker_modifiers_add_up(self) -> bool:
        """B3: without bunkers, the modifier for half of them counts as well."""
        return self._is_answered("B3", "cumulative")

    @property
    def every_craft_hit_counts(self) -> bool:
        """B6: each landing craft hit last turn hampers the landing, not only the first."""
        return self._is_answered("B6", "each")

    @property
    def traps_count_as_the_turn_began(self) -> bool:
        """B17: tank traps that stood at the start of the turn count in all of its phases."""
        return self._is_answered("B17", "turn_start")

    @property
    def squads_count_as_the_turn_began(self) -> bool:
        """B34: the dozens of squads ashore are counted at the start of the turn."""
        return self._is_answered("B34", "turn_start")

    # ------------------------------------------------------------ phases

    @property
    def each_tank_rolls(self) -> bool:
        """B7: each tank rolls for itself in the phases of its kind."""
        return self._is_answered("B7", "tank")

    @property
    def engineers_roll_once(self) -> bool:
        """B9: the trenches are a target of the engineers' first roll; they have no second."""
        return self._is_answered("B9", "instead")

    @property
    def no_tanks_land_at_omaha(self) -> bool:
        """B27: nobody plays the tank landing at Omaha."""
        return self._is_answered("B27", "none")

    @property
    def all_tanks_land_as_guns_at_omaha(self) -> bool:
        """B27: every tank that lands at Omaha is a gun tank."""
        return self._is_answered("B27", "all_gun")

    @property
    def phases_that_need_squads(self) -> tuple[str, ...]:
        """B31: the phases skipped while nobody is ashore."""
        phases_by_answer: dict[str, tuple[str, ...]] = {
            "played": (),
            "no_infantry": ("infantry",),
            "neither": ("engineers", "infantry"),
        }
        return phases_by_answer[self.answers["B31"]]

    @property
    def landing_dice(self) -> str:
        """B39: the dice for how many squads land in a turn, ``3d6``."""
        return self.answers["B39"]

    # ------------------------------------------------------------ targets

    @property
    def may_fire_at_what_is_gone(self) -> bool:
        """B11: a removal may name a defence that is gone while another target stands."""
        return self._is_answered("B11", "any")

    @property
    def wire_counts_as_the_phase_began(self) -> bool:
        """B12: infantry that clears the last wire reaches the bunkers only next turn."""
        return self._is_answered("B12", "next_turn")

    @property
    def trenches_open_as_the_phase_began(self) -> bool:
        """B32: the way to the trenches must be open when the phase begins."""
        return self._is_answered("B32", "phase_start")

    @property
    def wire_bars_the_trenches(self) -> bool:
        """B33: infantry storms trenches only once the wire is gone too."""
        return self._is_answered("B33", "yes")

    @property
    def may_decline(self) -> bool:
        """B35: the player may choose to remove nothing."""
        return self._is_answered("B35", "yes")

    @property
    def target_comes_first(self) -> bool:
        """B40: the target of a removal is named before its die is rolled."""
        return self._is_answered("B40", "before")

    # ------------------------------------------------------------ craters

    @property
    def ditches_are_limited(self) -> bool:
        """B15: craters never make more ditches than there were at the start."""
        return self._is_answered("B15", "cap")

    @property
    def craters_come_first(self) -> bool:
        """B38: craters are dug before the same tank's roll at the trenches, and may bar it."""
        return self._is_answered("B38", "craters")

    # ------------------------------------------------------------ cards (not in the simulator)

    @property
    def cards_come_before_dice(self) -> bool:
        """B19: a card is played on dice that are announced, not on dice that have been rolled."""
        return self._is_answered("B19", "before")

    @property
    def set_value_is_final(self) -> bool:
        """B21: once a card sets a die, neither printed nor other modifiers count."""
        return self._is_answered("B21", "result")

    @property
    def colonel_rerolls_all(self) -> bool:
        """B22: a Colonel re-rolls all dice of the roll, not one."""
        return self._is_answered("B22", "all")

    @property
    def die_takes_one_card(self) -> bool:
        """B23: no second card is played on a die."""
        return self._is_answered("B23", "one")

    @property
    def only_allied_phases_repeat(self) -> bool:
        """B24: an Admiral does not repeat a German phase."""
        return self._is_answered("B24", "allied")

    @property
    def general_is_tactical(self) -> bool:
        """B25: a General is played in the tactical phase only."""
        return self._is_answered("B25", "tactical")

    @property
    def tables_take_no_cards(self) -> bool:
        """B36: no card changes a die that looks up a table or the type of a tank."""
        return self._is_answered("B36", "numbers")
