"""The sheets of a campaign: the blank ledger for people who play it on paper, and the book
of a campaign that was played."""

from __future__ import annotations

from skirmish.registry import CAMPAIGN
from skirmish.sheets.documents import Printable, game_file_name


def documents() -> list[Printable]:
    """What can be printed of a campaign, besides its pages."""
    return [
        Printable(
            "ledger",
            "A blank ledger, to play it on paper",
            "Ledger",
            made_from="game",
            file_name=game_file_name(CAMPAIGN.id, "ledger"),
            build="campaign.ledger:ledger_pdf",
            has_empty_sheet=True,
        ),
        Printable(
            "book",
            "The campaign book",
            "Campaign book",
            made_from="game",
            file_name=game_file_name(CAMPAIGN.id, "book"),
            build="campaign.book:book_pdf",
        ),
    ]
