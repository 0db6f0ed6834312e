"""The rules in our own words: whole, with right numbers, and found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from refusals import refusals_of

import skirmish
from skirmish import library, resources, tabletop
from skirmish.games import plastic
from skirmish.games.plastic.battle.agenda import AnyAsk, CheckKind, DrawPurpose
from skirmish.games.plastic.battle.state import PHASES
from skirmish.games.plastic.reference.charts import CHARTS, ChartTerms, chart
from skirmish.games.plastic.reference.lookup import Reference
from skirmish.games.plastic.reference.numbers import bare_numbers
from skirmish.games.plastic.reference.paragraph import RuleParagraph
from skirmish.games.plastic.reference.reading import read_reference
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.rules.shot import Save
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.measure import in_centimetres
from skirmish.tabletop.page import Page, Paragraph, Table
from skirmish.tabletop.page_text import as_text

PAGE = resources.table("plastic/texts/reference.toml")
PACKAGE = Path(skirmish.__file__).parent


@pytest.fixture(scope="module")
def reference() -> Reference:
    return library.reference()


def refusals() -> set[tuple[str, str]]:
    """Code and rule of every refusal of this game and of the tabletop."""
    return set(refusals_of(plastic, tabletop))


# ---------------------------------------------------------------- everything has its paragraph


def test_every_refusal_has_its_paragraph(reference: Reference) -> None:
    """A new code has to be told somewhere in data/plastic/texts/reference.toml (``for``)."""
    found = set(refusals())
    assert len(found) > 60
    untold = [
        f"{code} ({rule})"
        for code, rule in sorted(found)
        if reference.on(f"refusal {code} ({rule.partition(', ')[0]})", f"refusal {code}") is None
    ]
    assert untold == []
    assert [one for one in sorted(found) if reference.about(*one) is None] == []


def test_no_paragraph_tells_of_a_refusal_that_is_gone(reference: Reference) -> None:
    codes = {code for code, _ in refusals()}
    rules = {rule.partition(", ")[0] for _, rule in refusals()}
    told = [topic for topic in reference.topics if topic.startswith("refusal ")]
    for topic in told:
        said = re.fullmatch(r"refusal (\w+)(?: \((.+)\))?", topic)
        assert said is not None, topic
        assert said[1] in codes, topic
        assert said[2] is None or said[2] in rules, topic


def test_every_rule_that_refusals_name_has_its_paragraph(reference: Reference) -> None:
    named = {part for _, rule in refusals() for part in rule.split(", ") if part}
    for rule in sorted(named):
        assert reference.on(f"rule {rule}") or reference.on_ruling(rule), rule


def test_every_question_phase_check_verdict_limit_and_option_has_its_paragraph(
    reference: Reference, catalog: Catalog
) -> None:
    wanted = [f"ask {ask.__struct_config__.tag}" for ask in get_args(AnyAsk)]
    wanted += [f"phase {phase}" for phase in range(1, 5)]
    wanted += [f"check {why}" for why in {*get_args(DrawPurpose), *get_args(CheckKind)} - {"shot"}]
    wanted += [f"verdict {save}" for save in (*get_args(Save), "hit", "miss", "broken", "holds")]
    wanted += [f"limit {limit.id}" for limit in catalog.limits]
    wanted += [f"option {option}" for option in (*OPTION_NAMES, "quality")]
    assert [topic for topic in wanted if reference.on(topic) is None] == []


def test_every_ruling_stands_in_a_paragraph(reference: Reference, book: PlasticRulingBook) -> None:
    assert [name for name in book.rulings if reference.on_ruling(name) is None] == []


def test_a_screen_may_name_a_paragraph_a_topic_a_ruling_or_a_line_of_setup(
    reference: Reference,
) -> None:
    named = {
        "repeat-fire": "repeat-fire",
        "limit budget": "points",
        "P57": "repeat-fire",
        "option:pinning": "pinning",
        "draws:german": "draws",
        "quality:german": "force-quality",
    }
    for name, paragraph in named.items():
        found = reference.named(name)
        assert found is not None
        assert found.id == paragraph
    assert reference.named("nobody knows") is None


def test_the_same_code_leads_to_the_rule_that_it_comes_from(reference: Reference) -> None:
    """Too few men for a foxhole, or too few to take off."""
    ways = {
        ("too_few", "Entrenching"): "entrenching",
        ("too_few", ""): "corrections",
        ("no_tow", "Loading or Unloading, P27"): "loading",
        ("unheard_of", "Firing"): "firing",
        ("unheard_of", "P36"): "service",
    }
    for (code, rule), paragraph in ways.items():
        found = reference.about(code, rule)
        assert found is not None
        assert found.id == paragraph


# ---------------------------------------------------------------- how it is written


def test_paragraphs_are_short_and_fit_the_list(reference: Reference) -> None:
    """For somebody who stands at a table; titles fit a narrow list."""
    for one in reference.paragraphs.values():
        words = " ".join(one.text).split()
        assert len(words) <= 95, one.id
        assert len(words) >= 25 or one.charts or one.rulings or one.see, one.id
        assert len(one.title) <= 24, one.title


def test_no_number_of_the_catalog_is_typed_into_the_text() -> None:
    """Also not in words where it could be drawn from the data: what is left are phases and 88s."""
    for chapter in PAGE.values():
        for id, rule in chapter.items():
            for text in rule["text"]:
                assert bare_numbers(text.replace("\n", " ")) == [], (id, text)


def test_numbers_follow_the_catalog(catalog: Catalog, book: PlasticRulingBook) -> None:
    """A table that reads 5 instead of 3 is told 5."""
    from msgspec.structs import replace

    changed = replace(catalog, fire=replace(catalog.fire, exact_within=5, repeat_within=9))
    told = read_reference(PAGE, changed, book, "page.toml").paragraphs
    assert "within 5\u00a0in" in told["removing"].text[0]
    assert "within 9\u00a0in" in told["repeat-fire"].text[0]


def test_distances_can_be_told_in_centimetres(reference: Reference) -> None:
    assert "7.5\u00a0cm" in in_centimetres(reference.paragraphs["removing"].text[0])


BROKEN = """
[Fire.cover]
title = "Cover"
rulings = ["P13", "P999"]
see = ["nowhere"]
charts = ["firring"]
for = ["refusal range"]
text = ["Black within 3 misses, {fire.exactly_within:in} or {weapons:in}."]

[Elsewhere.cover]
title = "Cover"
for = ["refusal range", "thing"]
text = ["It is said elsewhere."]
"""
MISSHAPEN = """
[Fire.cover]
text = ["Black misses."]
nation = "german"

[Fire.empty]
title = "Empty"
text = []
"""


def test_everything_wrong_with_the_page_is_told_at_once(
    catalog: Catalog, book: PlasticRulingBook
) -> None:
    def problems(text: str) -> str:
        with pytest.raises(DataError) as told:
            read_reference(resources.parse(text, "shorter"), catalog, book, "plastic/shorter.toml")
        return str(told.value)

    said = problems(BROKEN)
    assert said.startswith("plastic/shorter.toml")
    for mistake in (
        "Fire.cover.text[0]: 3 is typed bare",
        "Fire.cover.text[0]: {fire.exactly_within:in} names no number",
        "Fire.cover.text[0]: {weapons:in} names no number",
        "Fire.cover.rulings[1]: no ruling 'P999'",
        "Fire.cover.see[0]: no paragraph 'nowhere'",
        "Fire.cover.charts[0]: no chart 'firring'; did you mean firing?",
        "Elsewhere.cover: cover stands there twice.",
        "Elsewhere.cover.for: refusal range stands at Fire.cover already.",
        "Elsewhere.cover.for: no kind 'thing'",
    ):
        assert mistake in said, mistake
    said = problems(MISSHAPEN)
    for mistake in (
        "Fire.cover.nation: unknown key",
        "Fire.cover.title: is missing",
        "Fire.empty.text: needs at least 1",
    ):
        assert mistake in said, mistake


# ---------------------------------------------------------------- rulings and charts


def answered(
    reference: Reference, rule: RuleParagraph, answers: dict[str, str], scenario: int | None = None
) -> dict[str, str]:
    rulings = library.rulings().answered(answers)
    page = reference.page(rule, ChartTerms(library.catalog(), rulings), scenario)
    return {one.lead: one.text for one in page.blocks if isinstance(one, Paragraph)}


def test_rulings_are_told_as_they_are_in_force(reference: Reference) -> None:
    cover = reference.paragraphs["cover"]
    ace = reference.book.rulings["P18"]
    usual = answered(reference, cover, {})[f"P18 {ace.title}."]
    chosen = answered(reference, cover, {"P18": "ace_hits"})[f"P18 {ace.title}."]
    assert usual == ace.answers[ace.default]
    assert chosen == f"NOT THE DEFAULT: {ace.answers['ace_hits']}"


def test_rulings_of_other_scenarios_are_left_out(reference: Reference) -> None:
    loading = reference.paragraphs["loading"]
    here, elsewhere = (answered(reference, loading, {}, scenario) for scenario in (10, 1))
    assert [lead for lead in here if lead.startswith("P71 ")]
    assert not [lead for lead in elsewhere if lead.startswith("P71 ")]


def drawn(name: str, **answers: str) -> Table:
    return chart(name, ChartTerms(library.catalog(), library.rulings().defaults() | answers))


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("width", [48, 76])
def test_charts_fit_the_width(name: str, width: int) -> None:
    made = CHARTS[name](ChartTerms(library.catalog(), library.rulings().defaults()))
    lines = as_text(Page("", made.blocks), width).splitlines()
    assert len(lines) > 3
    assert [line for line in lines if len(line) > width] == []


def test_the_chart_of_chances_is_what_the_rules_say() -> None:
    """A-5: 5 of 12; in cover the red ones, or the odd rolls ace, 3 and 5."""
    rows = {row[0]: row[1:] for row in drawn("chances").rows}
    assert rows["A-5"] == ("42%", "21%", "25%")
    assert rows["A-8"] == ("67%", "33%", "33%")


def test_the_chart_of_nations_says_whose_each_trait_is() -> None:
    """By itself in a row of the table: who may buy, what is cheaper, who fights how."""
    rows = dict(drawn("nations").rows)
    assert rows["Germans"].startswith("they alone may buy Tigers and 88s; their Tanks, AA Tanks")
    assert rows["Russians"] == (
        "they alone may buy more than 1 Sniper Guy; 1 Rifle Guy free for each 5 bought; "
        "their Rifle Guys dig in as engineers do"
    )
    assert (
        rows["British"] == "their Jeeps, Trucks and MG Jeeps cost 1 less and do not count as losses"
    )
    assert rows["Poles"] == "no traits"
    assert "those who fight as rifles kill guys on A-8" in rows["Japanese"]
    strict = dict(drawn("nations", P42="rifle_only", P61="no").rows)
    assert "their Rifle Guys kill guys on A-8" in strict["Japanese"]
    assert strict["British"] == "their Jeeps and Trucks cost 1 less and do not count as losses"


def test_charts_follow_the_rulings() -> None:
    def armored(**answers: str) -> str:
        return {row[0]: row[1] for row in drawn("classes", **answers).rows}["Armored"]

    assert "Landing Craft" in armored()
    assert "Landing Craft" not in armored(P3="unarmored")


# ---------------------------------------------------------------- search


def first(reference: Reference, query: str) -> RuleParagraph:
    return reference.search(query)[0]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("cover", "cover"),
        ("REPEAT", "repeat-fire"),
        ("opfire", "op-fire"),
        ("overwatch", "op-fire"),
        ("casulties", "removing"),
        ("pdg", "strength"),
        ("p22", "repeat-fire"),
        ("jam", "breakdown"),
        ("entrench engin", "entrenching"),
        ("wire", "wire"),
        ("88", "eighty-eights"),
        ("tigr", "tigers"),
    ],
)
def test_a_word_finds_its_rule_first(reference: Reference, query: str, found: str) -> None:
    """By title, by other names for it, by a beginning, with a slip of the finger."""
    assert first(reference, query).id == found


def test_every_word_must_be_there(reference: Reference) -> None:
    assert reference.search("wire zeppelin") == []
    assert len(reference.search("wire engineer")) < len(reference.search("engineer"))


def test_every_rule_is_found_by_its_title(reference: Reference) -> None:
    for one in reference.paragraphs.values():
        assert first(reference, one.title).title == one.title


@pytest.mark.parametrize("query", ["", "   ", "?!"])
def test_nothing_looked_for_is_everything(reference: Reference, query: str) -> None:
    assert reference.search(query) == list(reference.paragraphs.values())


def test_what_was_not_found_is_answered_with_titles_like_it(reference: Reference) -> None:
    assert "Cover" in [one.title for one in reference.similar("covert operation")]
    assert reference.similar("zzzzzzzz") == []


def test_a_phase_has_one_name_everywhere(reference: Reference) -> None:
    """The clock, the journal and the markers take it from there; these are written by hand."""
    for phase, name in PHASES.items():
        told = reference.paragraphs[f"phase-{phase}"]
        assert told.title == f"Phase {phase}: {name.lower()}"
        sheet = resources.table("plastic/texts/quick_reference.toml")
        assert sheet["The turn"][f"phase-{phase}"]["title"] == name
