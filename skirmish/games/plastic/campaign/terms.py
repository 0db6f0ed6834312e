"""The numbers of a campaign, from its rulings (C1 to C24) and the tables of returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from skirmish.tabletop.data_file import Problem, Strict, doubles, read

Return: TypeAlias = Literal["ready", "away", "prisoner", "crew", "gone"]
"""What a card says of a lost man or model: ``away``: he misses one battle; ``gone``: he
never comes back; ``crew``: the model is gone, but its crew lives."""
HIGHEST_RANK = 12
"""The queen; kings are not in the deck, so that a d12 can take its place."""
COUNTS: Mapping[str, Mapping[str, int]] = {
    "C1": {"240": 240, "200": 200, "300": 300},
    "C3": {"file": 0, "five": 5, "seven": 7, "nine": 9},
    "C6": {"position": 1, "none": 0, "double": 2},
    "C9": {"three": 3, "one": 1, "six": 6},
    "C14": {"fifteen": 15, "none": 0, "forty": 40},
    "C23": {"ten": 10, "fifteen": 15, "five": 5},
}
"""The whole numbers that answers stand for, by ruling and answer. The property of
``CampaignTerms`` that reads a number says what it counts. Answers to rulings that are in none of
these tables are words."""
SHARES: Mapping[str, Mapping[str, Fraction]] = {
    "C5": {
        "eighty": Fraction(8, 10),
        "sixty": Fraction(6, 10),
        "seventy": Fraction(7, 10),
        "ninety": Fraction(9, 10),
    },
    "C15": {"quarter": Fraction(1, 4), "fifth": Fraction(1, 5), "third": Fraction(1, 3)},
}
"""The shares that answers stand for."""


class MarksForStep(NamedTuple):
    """How many marks lift a green group to regular, and a regular one to the next quality."""

    green: int
    regular: int


class RecruitsCost(NamedTuple):
    """The shares of recruits beyond which a group loses a mark, or a step of quality."""

    mark: Fraction
    step: Fraction


class CampaignPoints(NamedTuple):
    """The points of a campaign for a victory, and for each side after a draw."""

    victory: int
    draw: int


MARKS_FOR_STEP = {"two_four": MarksForStep(2, 4), "two_five": MarksForStep(2, 5)}
"""By the answer to C16."""
RECRUITS_COST = {
    "quarter_half": RecruitsCost(mark=Fraction(1, 4), step=Fraction(1, 2)),
    "third_half": RecruitsCost(mark=Fraction(1, 3), step=Fraction(1, 2)),
}
"""By the answer to C17."""
CAMPAIGN_POINTS = {
    "two_one": CampaignPoints(victory=2, draw=1),
    "three_one": CampaignPoints(victory=3, draw=1),
}
"""By the answer to C24."""
USUAL_IN_BATTLE = {"C10": "mended", "C11": "guys", "C18": "worst", "C20": "second"}
"""The usual answers to the rulings that matter in a battle. A battle stores only answers that
differ from these, since the battles of earlier campaigns have none stored."""
CATCH_UP = 15
"""The additional points of replacements for the loser of a battle (C13)."""


class ReturnLine(Strict, frozen=True):
    """The highest rank that gives each result, from ace to queen; 0: the line does not have that
    result. Higher cards mean gone (``Return``)."""

    ready: int
    away: int
    prisoner: int = 0
    crew: int = 0

    def result(self, rank: int) -> Return:
        """What a card of that rank says.

        >>> line = ReturnLine(ready=5, away=8, prisoner=9)
        >>> [line.result(rank) for rank in (5, 8, 9, 10)]
        ['ready', 'away', 'prisoner', 'gone']
        """
        if rank <= self.ready:
            return "ready"
        if rank <= self.away:
            return "away"
        if rank <= self.prisoner:
            return "prisoner"
        if rank <= self.crew:
            return "crew"
        return "gone"


class ReturnTable(Strict, frozen=True):
    """A line each for guys and models: where their side held the field, and where it lost it."""

    id: str
    guys_held: ReturnLine
    guys_lost: ReturnLine
    models_held: ReturnLine
    models_lost: ReturnLine

    def line(self, *, guy: bool, held: bool) -> ReturnLine:
        """The line for a ``guy`` or a model whose side ``held`` the field, or did not."""
        if guy:
            if held:
                return self.guys_held
            return self.guys_lost
        if held:
            return self.models_held
        return self.models_lost


class ReturnTables(Strict, frozen=True):
    """The file ``returns.toml``."""

    format: Literal[1]
    tables: tuple[ReturnTable, ...] = msgspec.field(name="table")


def read_return_tables(raw: Mapping[str, Any], file: str) -> dict[str, ReturnTable]:
    """The tables of returns by their ids. Raises DataError."""

    def problems(content: ReturnTables) -> Iterator[Problem]:
        yield from doubles("table", (table.id for table in content.tables))

    tables = read(raw, ReturnTables, file, problems).tables
    return {table.id: table for table in tables}


class CampaignTerms(msgspec.Struct, frozen=True):
    """What the answers to the rulings say, in numbers. ``answers``: the id of each answer, by
    ruling; ``table``: the table of returns that is used."""

    answers: Mapping[str, str]
    table: ReturnTable

    def _count(self, ruling: str) -> int:
        """The whole number that the answer to a ruling stands for."""
        return COUNTS[ruling][self.answers[ruling]]

    def _share(self, ruling: str) -> Fraction:
        """The share that the answer to a ruling stands for."""
        return SHARES[ruling][self.answers[ruling]]

    @property
    def in_battle(self) -> dict[str, str]:
        """The answers that a battle has to know, where they are not the usual ones."""
        unusual = {}
        for ruling, usual in USUAL_IN_BATTLE.items():
            if self.answers[ruling] != usual:
                unusual[ruling] = self.answers[ruling]
        return unusual

    @property
    def pool(self) -> int:
        """Points with which a side buys its groups, where the file names no points (C1)."""
        return self._count("C1")

    @property
    def limits_when_fielding(self) -> bool:
        """Whether army limits bind what is brought to a free battle, too (C2)."""
        return self.answers["C2"] == "fielding"

    @property
    def last_battle(self) -> int:
        """The battle with which it ends at the latest; 0: as the campaign says (C3)."""
        return self._count("C3")

    @property
    def attaches(self) -> bool:
        """Whether a side that cannot fill the list of a scenario gets the missing men for that
        battle only (C4)."""
        return self.answers["C4"] == "attached"

    @property
    def fill_share(self) -> Fraction:
        """The share of the allowance up to which a weak side is filled (C5)."""
        return self._share("C5")

    @property
    def position_times(self) -> int:
        """By how much the usual points for works of the defender's position are multiplied (C6)."""
        return self._count("C6")

    @property
    def both_hold_after_draw(self) -> bool:
        """Whether after a draw both sides hold the field; if not, neither does (C7)."""
        return self.answers["C7"] == "both"

    @property
    def exit_gives_up_field(self) -> bool:
        """Whether a side that won by leaving the table leaves the field to the other (C8)."""
        return self.answers["C8"] == "other"

    @property
    def party_size(self) -> int:
        """How many lost riflemen share a card (C9)."""
        return self._count("C9")

    @property
    def mends_weapons(self) -> bool:
        """Whether weapons that broke down are mended after a battle (C10)."""
        return self.answers["C10"] == "mended"

    @property
    def passengers_share(self) -> bool:
        """Whether passengers who were lost have the card of their model (C11)."""
        return self.answers["C11"] == "carrier"

    @property
    def exchanges(self) -> bool:
        """Whether prisoners are exchanged (C12)."""
        return self.answers["C12"] == "exchanged"

    @property
    def has_catch_up(self) -> bool:
        """Whether the loser of a battle gets something for it (C13)."""
        return self.answers["C13"] != "none"

    @property
    def may_choose_ground(self) -> bool:
        """Whether the loser of a battle may take the choice of ground instead of points (C13)."""
        return self.answers["C13"] == "choice"

    @property
    def most_saved(self) -> int:
        """The most points of replacements that a side saves for later (C14)."""
        return self._count("C14")

    @property
    def most_lost_for_mark(self) -> Fraction:
        """A group gains a mark if it has lost no more than this share of what it brought (C15)."""
        return self._share("C15")

    @property
    def marks_for(self) -> dict[str, int]:
        """How many marks lift a group to the next quality, by the quality that it has (C16)."""
        marks = MARKS_FOR_STEP[self.answers["C16"]]
        return {"green": marks.green, "regular": marks.regular}

    @property
    def recruits_cost_mark(self) -> Fraction:
        """The share of recruits beyond which a group loses a mark (C17)."""
        return RECRUITS_COST[self.answers["C17"]].mark

    @property
    def recruits_cost_step(self) -> Fraction:
        """The share of recruits beyond which a group loses a step of quality (C17)."""
        return RECRUITS_COST[self.answers["C17"]].step

    @property
    def most_decide(self) -> bool:
        """Whether men of groups that differ in quality test as most of them do, not as the worst of
        them (C18)."""
        return self.answers["C18"] == "most"

    @property
    def conceding_catches_up(self) -> bool:
        """Whether a side that conceded a battle gets what a loser gets (C19)."""
        return self.answers["C19"] == "yes"

    @property
    def may_withdraw(self) -> bool:
        """Whether a side may withdraw from a battle, from its second turn on (C20)."""
        return self.answers["C20"] == "second"

    @property
    def exited_are_safe(self) -> bool:
        """Whether those who left the table are not lost (C21)."""
        return self.answers["C21"] == "safe"

    @property
    def replacements(self) -> int:
        """Points of replacements for each side after a battle (C23)."""
        return self._count("C23")

    @property
    def points_of_victory(self) -> int:
        """The points of a campaign for a victory (C24)."""
        return CAMPAIGN_POINTS[self.answers["C24"]].victory

    @property
    def points_of_draw(self) -> int:
        """The points of a campaign for each side after a draw (C24)."""
        return CAMPAIGN_POINTS[self.answers["C24"]].draw
