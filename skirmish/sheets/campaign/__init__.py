"""The sheets of a campaign: the blank ledger for people who play it on paper, and the book
of a campaign that was played."""

from __future__ import annotations

from skirmish.registry import CAMPAIGN, load
from skirmish.sheets.documents import Printable, game_file_name, printable_page


def documents() -> list[Printable]:
    """All documents of a campaign. Its pages are in the inks of the nations, as its book is."""
    pages = []
    for page in load(CAMPAIGN.id).documents():
        pages.append(printable_page(CAMPAIGN.id, page, side_looks="campaign.book:looks_of_sides"))
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
        *pages,
    ]
