"""The blank ledger of a campaign: complete enough to play from paper alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from skirmish.sheets.campaign.ledger import ledger_pdf
from skirmish.sheets.campaign.wording import rules_text, rung_terms
from skirmish.sheets.documents import StoredGame, documents_of_game
from skirmish.tabletop.measure import NO_BREAK
from tests.games.plastic.campaign.evenings import LADDERS, opened, the_game


def stored(ladder: str, **answers: Any) -> StoredGame:
    return StoredGame(3, opened(ladder, **answers), "2026-11-01", "campaign")


def words(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_rules_take_two_pages_on_both_papers(printed: Any, paper: Any, use: Any) -> None:
    texts = [words(text) for text in printed(ledger_pdf(None, paper=paper, use=use)).texts]
    assert "The pool".upper() in texts[0]
    assert "In battle".upper() in texts[0]
    assert "The return table".upper() in texts[1]
    assert "Marks and quality".upper() in texts[1]
    assert "The battles".upper() in texts[2]


def test_the_ledger_prints_the_return_table_of_the_design(printed: Any) -> None:
    text = words(printed(ledger_pdf(None)).texts[1])
    assert "Guys, field lost A–5 6–8 9 – 10–Q" in text
    assert "Models, field held A–4 5–8 – 9–10 J–Q" in text
    assert "Models, field lost A–2 3–4 – 5–8 9–Q" in text


def test_an_empty_ledger_has_every_ladder_that_comes_with_the_program(printed: Any) -> None:
    text = words(printed(ledger_pdf(None)).texts[3])
    for piece in ("The road to Orel", "Bréville", "El Agheila", "the last ditch"):
        assert piece in text
    assert "Russians, Gun battery: 4 Cannon, 1 Truck." in text


@pytest.mark.parametrize("ladder", LADDERS)
def test_the_ledger_of_a_campaign_has_its_rungs_and_a_page_for_each_group(
    printed: Any, ladder: str
) -> None:
    game = stored(ladder)
    setup = game.play.state.setup
    texts = [words(text) for text in printed(ledger_pdf(game)).texts]
    for rung in setup.file.rungs:
        if rung.title:
            assert rung.title in texts[2]
    assert len(texts) == 3 + len(setup.groups)
    for group, text in zip(setup.groups, texts[3:], strict=True):
        assert group.name.upper() in text
        for unit, count in group.strength.items():
            own = setup.units[unit]
            assert f"{own.name} {own.price} {count}" in text


def test_the_rules_on_paper_are_those_of_the_rulings() -> None:
    usual = rules_text(stored("kursk").play.state.setup)
    other = stored("kursk", C14="forty", C9="six", C12="held", C13="none", C8="winner").play.state
    words_then = " ".join(text for part in usual.parts for _, text in part.lines)
    words_now = " ".join(text for part in rules_text(other.setup).parts for _, text in part.lines)
    assert "up to three lost Rifle Guys" in words_then
    assert "up to six lost Rifle Guys" in words_now
    assert "Up to 40 points may be saved" in words_now
    assert "They stay captured" in words_now
    # The screen says "captured" too.
    assert "prisoner" not in words_then.lower()
    assert "choice of ground" not in words_now
    assert "even if he left the table" in words_now


def test_every_answer_to_every_ruling_changes_the_rules_on_paper() -> None:
    """What no sentence tells, nobody can play from paper alone. C22 chooses the return table."""
    books = the_game()._books()
    usual = opened("any_two_armies").state.setup
    for ruling in books.terms.rulings.values():
        for answer in ruling.answers:
            # This campaign names the seventh battle itself.
            if answer == ruling.default or (ruling.id, answer) == ("C3", "seven"):
                continue
            rulings = {**usual.rulings, ruling.id: answer}
            other = replace(usual, rulings=rulings, table=books.tables[rulings["C22"]])
            changed = rules_text(other) != rules_text(usual) or other.table != usual.table
            assert changed, (ruling.id, answer)


def test_an_empty_ledger_is_among_the_documents() -> None:
    assert documents_of_game("campaign")["ledger"].has_empty_sheet


def test_what_is_said_of_a_rung_is_a_sentence_and_sizes_stay_in_one_line(printed: Any) -> None:
    text = words(printed(ledger_pdf(None)).texts[3])
    assert "96 × 60 in; 200 points. An escarpment, a coast road, a white village." in text
    assert "The men of the First army push the marker up, the men of the Second army down." in text
    assert "The Axis push the marker up, the British down." in text
    file = stored("kursk").play.state.setup.file
    assert rung_terms(file.ladder[0], file) == f"96{NO_BREAK}×{NO_BREAK}60{NO_BREAK}in; 200 points"


def test_an_empty_ledger_names_its_rulings(printed: Any) -> None:
    assert "Usual rulings" in words(printed(ledger_pdf(None)).texts[0])
