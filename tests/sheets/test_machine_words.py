"""No document has a word, tooltip, bookmark or title that only a program understands."""

from __future__ import annotations

import re
from io import BytesIO
from random import Random
from typing import Any

import bloody_table
import gts_table
import pytest
from battles import scenario
from beach_table import played as finished
from deep import deep_after
from omaha_table import played
from pypdf import PdfReader

from skirmish import library, registry
from skirmish.games.beach_head.policies import SKILLED
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import odds_table
from skirmish.sheets.documents import Printable, PrintOptions, StoredGame, documents_of_game
from skirmish.tabletop.chance import Source
from tests.games.plastic.campaign.evenings import opened

MACHINE = re.compile(
    r"\b(?:uniform|numpy|Sd|None(?! left)|True|False|NaN|nan|inf|null)\b|1/4, Half, 3/4"
    r"|\w*[A-Za-z]_[A-Za-z]\w*|<[\w.]+ object|\b\w+\(\w+=|[{\[]'|frozenset"
)
RULINGS = library.rulings().defaults()


def plays(game: str) -> Any:
    if game == registry.BATTLE.id:
        return scenario(4, 150).play
    if game == registry.OMAHA.id:
        return played(Random(1), 60)
    if game == registry.BEACH.id:
        dice, cards = Source("die", 3), Source("deck", 3)
        return finished(library.beach().setup({}, dice=dice, cards=cards), SKILLED, 3)
    if game == registry.BLOODY.id:
        return bloody_table.played(Random(1), 60)
    if game == "campaign":
        return opened()
    return gts_table.entered()


def subjects(document: Printable, game: str) -> list[Any]:
    armies = library.templates()[:1]
    found: dict[str, list[Any]] = {
        "nothing": [None],
        "scenario": [],  # they are all in the book
        "own": [list(library.published_scenarios().values())[:1]],  # any scenarios do
        "army": armies,
        "tags": [None, *armies],
        "labels": [None, *armies],
        "odds": [[odds_table(library.catalog(), RULINGS, one)
                  for one in (packs.fresh(RULINGS), packs.of_die())]],
        "game": [StoredGame(1, plays(game), "2026-01-01T00:00:00", game)],
    }  # fmt: skip
    return found[document.made_from] + [None] * document.has_empty_sheet


def words(data: bytes) -> list[str]:
    """All that a person reads of a file: pages, tooltips, bookmarks, title and subject."""
    reader = PdfReader(BytesIO(data))
    found = [page.extract_text() for page in reader.pages]
    boxes = [one.get_object() for page in reader.pages for one in page.get("/Annots", [])]
    found += [str(one.get("/TU") or one["/Parent"]["/TU"]) for one in boxes
              if one["/Subtype"] == "/Widget"]  # fmt: skip
    found += [one.title for one in reader.outline if not isinstance(one, list)]
    known = reader.metadata or {}
    return found + [str(known[key]) for key in ("/Title", "/Author", "/Subject", "/Creator")]


@pytest.mark.parametrize("game", [one.id for one in registry.all_games()])
def test_no_document_has_a_word_of_machines(game: str) -> None:
    odd: dict[str, set[str]] = {}
    for id, document in documents_of_game(game).items():
        for subject in deep_after(1, subjects(document, game)):
            more = {"labels": "3490"} if document.made_from == "labels" else {}
            data = document.pdf(subject, PrintOptions(form=True), **more)
            met = {one for text in words(data) for one in MACHINE.findall(text)}
            odd |= {id: met} if met else {}
    assert odd == {}


@pytest.mark.parametrize(
    "text", ["uniform targets", "beach_bunkers", "Sd 3", "None", "Draw(rank=3)", "{'a': 1}"]
)
def test_machine_words_are_found(text: str) -> None:
    assert MACHINE.search(text)
