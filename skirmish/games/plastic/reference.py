"""The rules in our own words, in paragraphs. A person finds one by searching for words; the program
finds it by a topic, which names the place where the paragraph helps: ``refusal range`` when a shot
is refused for its range, ``ask casualty`` when the program asks who falls, ``phase 2``, ``limit
budget``.

They are read from data/plastic/texts/reference.toml and a similar file. Numbers in the text come
from the catalog: ``{fire.exact_within:in}`` is the number of that name, in inches; ``{=2:in}`` is a
number that no catalog has. A number outside braces is a mistake.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, partial
from typing import Annotated, Any, NamedTuple, TypeAlias, cast

import msgspec

from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.odds.worth import ARMORED, GROUP, GUY, UNARMORED, worth, worth_table
from skirmish.games.plastic.rules.catalog import (
    DECK,
    DIE,
    Catalog,
    Limit,
    Nation,
    UnitType,
    Work,
    listed,
    plural,
)
from skirmish.games.plastic.rules.checks import RAFT_SEATS
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import TOPICS, PlasticRuling, PlasticRulingBook
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge, ranks_that_hit
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.data_file import Problem, Refers, parts, read, suggest
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.number_words import number_word
from skirmish.tabletop.page import Block, Heading, Note, Page, Paragraph, Table, table

NEAR = 0.72
"""The similarity, from 0 to 1 (difflib), that makes a mistyped word mean another."""
FAINT = 0.6
"""The similarity from which on a title is suggested."""
SHORTEST = 4
"""Shorter words are searched for as they are typed: too many others are near them."""
# A word is of letters and digits: "half-track" is two words, and so is what is typed.
_WORD = re.compile(r"[^\W_]+")

TITLE, WORDS, CHAPTER, TEXT, RULING = 100, 60, 20, 8, 3
"""What a word counts in a search, by where it stands."""


class RuleParagraph(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"topics": "for"}
):
    """A paragraph of the rules. The keys of its table are its chapter and id."""

    id: str = ""
    chapter: str = ""
    title: str
    text: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    charts: tuple[Annotated[str, Refers("chart")], ...] = ()
    """The names of the charts below it."""
    rulings: tuple[Annotated[str, Refers("ruling")], ...] = ()
    """The ids of the rulings that fill its gaps."""
    see: tuple[Annotated[str, Refers("paragraph")], ...] = ()
    """The ids of other paragraphs."""
    topics: tuple[str, ...] = ()
    """Where the program needs it."""
    words: str = ""
    """Additional search terms."""


class Reference(msgspec.Struct, frozen=True, dict=True):
    """All paragraphs, with the ways to find one."""

    paragraphs: dict[str, RuleParagraph]
    """The paragraphs by id, in the order of the file."""
    topics: dict[str, str]
    """The id of the paragraph on each topic."""
    book: PlasticRulingBook

    def chapters(self) -> Iterator[tuple[str, list[RuleParagraph]]]:
        """Each chapter with its paragraphs, in the order of the file."""
        # A dictionary keeps the order in which chapters come in the file.
        by_chapter: dict[str, list[RuleParagraph]] = {}
        for paragraph in self.paragraphs.values():
            by_chapter.setdefault(paragraph.chapter, []).append(paragraph)
        yield from by_chapter.items()

    def on(self, *topics: str) -> RuleParagraph | None:
        """The paragraph of the first topic that has one."""
        for topic in topics:
            if topic in self.topics:
                return self.paragraphs[self.topics[topic]]
        return None

    def named(self, name: str) -> RuleParagraph | None:
        """The paragraph of this id (``shuffling``), topic, ruling (``P27``) or name of a
        line of the set-up."""
        if name in self.paragraphs:
            return self.paragraphs[name]
        kind = name.partition(":")[0]
        paragraph = self.on(
            name,  # a topic: "phase 2"
            name.replace(":", " "),  # a line with its own paragraph: "option:pinning"
            f"line {kind}",  # a line that each side has: "draws:german" is "line draws"
            f"option {kind}",  # an option by its bare name: "pinning"
        )
        return paragraph or self.holding(name)

    def about(self, code: str, rule: str = "") -> RuleParagraph | None:
        """The paragraph for a refusal with this ``code`` (``range``). Its ``rule`` is a heading of
        the rules, a heading and a ruling (``Loading or Unloading, P27``), or a ruling alone."""
        name, _, ruling = rule.partition(", ")
        paragraph = self.on(
            # The code alone may be used in several places of the rules, so the pair comes first.
            f"refusal {code} ({name})",
            f"refusal {code}",
            f"rule {name}",
        )
        return paragraph or self.holding(ruling or name)

    def holding(self, ruling: str) -> RuleParagraph | None:
        """The first paragraph that a ruling belongs to."""
        for paragraph in self.paragraphs.values():
            if ruling in paragraph.rulings:
                return paragraph
        return None

    def page(
        self,
        paragraph: RuleParagraph,
        terms: ChartTerms,
        scenario: int | None = None,
        whose: str = "",
    ) -> Page:
        """A paragraph with its charts and its rulings as they are answered in ``terms``; ``whose``
        answers these are, such as those of a battle."""
        blocks: list[Block] = [Paragraph(text) for text in paragraph.text]
        for name in paragraph.charts:
            blocks += CHARTS[name](terms)
        rulings = [self.book.rulings[name] for name in paragraph.rulings]
        answered = list(_answered(rulings, terms.rulings, scenario))
        if answered:
            blocks += [Heading("Rulings", aside=whose), *answered]
        return Page(paragraph.title, tuple(blocks), about=(paragraph.chapter,))

    @cached_property
    def _weights(self) -> dict[str, dict[str, int]]:
        """The weight of each word of each paragraph, by the id of the paragraph; a word in several
        places counts by the best one."""
        return {
            paragraph.id: dict(self._words_of(paragraph)) for paragraph in self.paragraphs.values()
        }

    def _words_of(self, paragraph: RuleParagraph) -> Iterator[tuple[str, int]]:
        """The words of a paragraph with their weights, the best one last."""
        questions = []
        for name in paragraph.rulings:
            ruling = self.book.rulings[name]
            questions.append(f"{ruling.title} {ruling.question}")
        places: tuple[tuple[int, Iterable[str]], ...] = (
            (RULING, questions),
            (TEXT, paragraph.text),
            (CHAPTER, [paragraph.chapter]),
            (WORDS, [*paragraph.rulings, paragraph.words]),
            (TITLE, [paragraph.title]),
        )
        # The best last: later words take the place of earlier ones in the mapping.
        for weight, texts in places:
            for text in texts:
                for word in words_in(text):
                    yield word, weight

    def search(self, query: str) -> list[RuleParagraph]:
        """The paragraphs that match every word, including beginnings and typing errors; all for an
        empty query."""
        typed = words_in(query)
        known_words: set[str] = set()
        for weights in self._weights.values():
            known_words.update(weights)
        # Mended against the words of all paragraphs, so that each is searched for the same word.
        wanted = [_meant(word, known_words) for word in typed]
        scores = {name: _score(wanted, weights) for name, weights in self._weights.items()}
        matching = []
        for paragraph in self.paragraphs.values():
            if scores[paragraph.id] or not typed:
                matching.append(paragraph)
        # Before all others the one that is called so.
        matching.sort(key=lambda match: (words_in(match.title) != typed, -scores[match.id]))
        return matching

    def near_titles(self, query: str, most: int = 3) -> list[RuleParagraph]:
        """Suggestions where nothing matches: a word of theirs is nearly what was typed."""
        by_word: dict[str, RuleParagraph] = {}
        for paragraph in self.paragraphs.values():
            for word in words_in(paragraph.words):
                by_word[word] = paragraph
        # A title goes before what is only related to another one.
        for paragraph in self.paragraphs.values():
            for word in words_in(paragraph.title):
                by_word[word] = paragraph
        near: dict[str, RuleParagraph] = {}
        for typed in words_in(query):
            for word in get_close_matches(typed, by_word, most, FAINT):
                paragraph = by_word[word]
                # The same paragraph may be near by several words; it keeps its first place.
                near.setdefault(paragraph.id, paragraph)
        return list(near.values())[:most]


def rulings_page(
    book: PlasticRulingBook, answers: Mapping[str, str], scenario: int | None = None
) -> Page:
    """All gaps by topic with their answers; in a battle only those that concern its scenario."""
    blocks: list[Block] = []
    for topic, title in TOPICS.items():
        answered = list(_answered(book.about([topic]), answers, scenario))
        if answered:
            blocks += [Heading(title), *answered]
    return Page("Rulings: how gaps in the rules are filled", tuple(blocks))


def _answered(
    rulings: Iterable[PlasticRuling], answers: Mapping[str, str], scenario: int | None
) -> Iterator[Paragraph]:
    """Rulings with their answers; in a battle of ``scenario`` those of other scenarios are left
    out."""
    for ruling in rulings:
        concerns = scenario is None or not ruling.scenarios or scenario in ruling.scenarios
        if not concerns:
            continue
        answer = answers.get(ruling.id, ruling.default)
        # An old battle may have an answer that exists no more: its id is all that is left.
        text = ruling.answers.get(answer, answer)
        if answer != ruling.default:
            text = f"NOT THE DEFAULT: {text}"
        yield Paragraph(text, f"{ruling.id} {ruling.title}.", aside=ruling.question)


def words_in(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.casefold())


def _meant(word: str, known_words: set[str]) -> str:
    """The known word that was probably meant; the word itself if it is one, or begins one."""
    if len(word) < SHORTEST or any(known_word.startswith(word) for known_word in known_words):
        return word
    near = get_close_matches(word, sorted(known_words), n=1, cutoff=NEAR)
    if near:
        return near[0]
    return word


def _score(wanted: list[str], weights: Mapping[str, int]) -> int:
    """How well a paragraph matches what is ``wanted``, by the ``weights`` of its words: the sum of
    the best match of each wanted word, where the beginning of a word counts half as much as all of
    it. 0 unless every wanted word matches."""
    total = 0
    for word in wanted:
        best = 0
        for word_of_rule, weight in weights.items():
            if word_of_rule == word:
                best = max(best, 2 * weight)
            elif word_of_rule.startswith(word):
                best = max(best, weight)
        # Every word must be there, or a long question would find nearly everything.
        if not best:
            return 0
        total += best
    return total


# ------------------------------------------------------------------ tables

Chart: TypeAlias = Iterator[Table | Note]
"""A table of numbers of the rules, then the notes below it."""


class ChartTerms(msgspec.Struct, frozen=True):
    """The numbers and the answers by which charts are made."""

    catalog: Catalog
    rulings: Mapping[str, str]

    def buyable(self) -> list[UnitType]:
        """All units but those of scenarios."""
        return [unit for unit in self.catalog.units.values() if unit.source != "scenario"]


def chart(name: str, terms: ChartTerms) -> Table:
    """The table of a chart, without its notes."""
    return cast("Table", next(CHARTS[name](terms)))


def share(text: str) -> str:
    """A share of the rules in words, ``a sixth`` for ``1/6``; a KeyError for others."""
    return {"1/2": "half", "1/3": "a third", "1/6": "a sixth", "1": "all"}[text]


def rank(value: int) -> str:
    """A rank of a card in words.

    >>> [rank(value) for value in (1, 7, 12)]
    ['ace', '7', 'queen']
    """
    return {1: "ace", 11: "jack", 12: "queen"}.get(value, str(value))


def suits(letters: str) -> str:
    """The suits that a check of the rules needs, in words; a KeyError for others."""
    return {"S": "a spade", "SC": "a black card", "CHD": "anything but a spade"}[letters]


# ------------------------------------------------------------------ the charts


def _chances(terms: ChartTerms) -> Chart:
    """How often each number of the firing table hits, as if a rifle's shot needed that number."""
    # Cover turns black cards into misses, but even numbers of a die: a different part of the hits.
    die = [Draw(face) for face in range(1, DIE + 1)]
    rows = []
    for needs in _numbers_needed(terms.catalog):
        in_the_open = _share_of_hits(terms, needs, list(DECK), cover=False)
        with_cards = _share_of_hits(terms, needs, list(DECK), cover=True)
        with_die = _share_of_hits(terms, needs, die, cover=True)
        rows.append((ranks_that_hit(needs), in_the_open, with_cards, with_die))
    heads = ("Needs", "In the open", "Cover, card", "Cover, die")
    yield table(heads, rows, numbers=(1, 2, 3))


def _numbers_needed(catalog: Catalog) -> list[int]:
    """Every number of the firing table, once."""
    numbers: set[int] = set()
    for weapon in catalog.weapons.values():
        for kill in (weapon.guys, weapon.unarmored, weapon.armored):
            if kill:
                numbers.add(kill.needs)
    return sorted(numbers)


def _share_of_hits(terms: ChartTerms, needs: int, draws: list[Draw], *, cover: bool) -> str:
    """``42%``: how many of these draws hit a man with that number, in cover or not."""
    catalog = terms.catalog
    rifle = catalog.units["rifle"]
    shot = Shot(
        shooter=rifle,
        weapon=catalog.weapons["rifle"],
        target=rifle,
        # At a distance of 1 inch the shot is allowed, and nothing else about it matters here.
        at=Circumstances(distance=1, cover=cover),
    )
    aimed = msgspec.structs.replace(aim(shot, catalog, terms.rulings), needs=needs)
    hits = sum(judge(aimed, draw).hit for draw in draws)
    return f"{percent(Fraction(hits, len(draws)))}%"


def _classes(terms: ChartTerms) -> Chart:
    """Which units are guys, unarmored and armored; P3 decides on landing craft."""
    units_by_kind: dict[str, list[str]] = {"guy": [], "unarmored": [], "armored": []}
    for unit in terms.buyable():
        kind: str = unit.kind
        if "landing_craft" in unit.tags and terms.rulings["P3"] == "unarmored":
            kind = "unarmored"
        units_by_kind[kind].append(unit.short)
    rows = (
        ("Guys", ", ".join(units_by_kind["guy"])),
        ("Unarmored", ", ".join(units_by_kind["unarmored"])),
        ("Armored", ", ".join(units_by_kind["armored"])),
    )
    yield table(("Class", "Who"), rows)


def _units(terms: ChartTerms) -> Chart:
    """Every unit that can be bought: its price, moves, seats and weapons."""
    rows = []
    for unit in terms.buyable():
        seats = NONE
        if unit.seats:
            seats = str(unit.seats)
        rows.append((unit.short, str(unit.price), _move(unit), seats, _fires(unit, terms)))
    heads = ("Unit", "Pts", "Move", "Seats", "Fires")
    yield table(heads, rows, numbers=(1, 3))
    for unit in terms.buyable():
        for note in _notes(unit):
            yield Note(note)


def _fires(unit: UnitType, terms: ChartTerms) -> str:
    """``Cannon, 2 × Machinegun``"""
    times = Counter(weapon.name for weapon in terms.catalog.weapons_of(unit, terms.rulings))
    weapons = []
    for name, count in times.items():
        if count > 1:
            weapons.append(f"{count} × {name}")
        else:
            weapons.append(name)
    return ", ".join(weapons) or NONE


def _move(unit: UnitType) -> str:
    """``6 in``; of a craft, how far it moves on water."""
    if unit.move:
        return inches(unit.move)
    if unit.water_move:
        return f"{inches(unit.water_move)} wet"
    return NONE


def _notes(unit: UnitType) -> Iterator[str]:
    """What the table of units has no column for."""
    if unit.move and unit.water_move:
        yield f"{unit.short}: {inches(unit.water_move)} on water."
    if unit.note:
        yield f"{unit.short}: {unit.note}"


def _firing(terms: ChartTerms) -> Chart:
    """Each weapon with its numbers against guys and models, and its range."""
    rows, notes = [], []
    firing = Firing(terms.catalog, terms.rulings, nation=None)
    for gun in firing.table(terms.buyable()):
        entry = gun.entry
        # A second range, at guys only, does not fit into the column.
        rows.append((entry.weapon, entry.guys, entry.armored, entry.unarmored, entry.first_reach))
        also = [part for part in (entry.further_reach, gun.also) if part]
        if also:
            notes.append(Note(f"{entry.weapon}: {'; '.join(also)}."))
    yield table(("Weapon", "Guys", "Armored", "Unarm.", "Range"), rows)
    yield from notes


_SUITS_IN_A_CELL = {"S": "spades", "SC": "black", "CHD": "no spade"}
"""Shorter than in a sentence (``suits``), as the column is narrow."""


def _qualities(terms: ChartTerms) -> Chart:
    """What each force quality does to movement, to pins and to the points of an army."""
    rows = []
    for quality in terms.catalog.qualities.values():
        stops = "never"
        if quality.movement_ends_from:
            stops = f"{rank(quality.movement_ends_from)} and up"
        pinned = f"{quality.pinned_from} and up"
        if terms.rulings["P29"] == "suits":
            pinned = _SUITS_IN_A_CELL[quality.pinned_suits]
        by_die = f"{quality.pinned_from}-{DIE}"
        rows.append((quality.name, stops, pinned, by_die, f"+{quality.bonus_percent}%"))
    heads = ("Troops", "Move ends", "Pinned, card", "Die", "Points")
    yield table(heads, rows, numbers=(4,))


def _nations(terms: ChartTerms) -> Chart:
    """What is special about each nation."""
    rows = []
    for nation in terms.catalog.nations.values():
        rows.append((nation.people, "; ".join(_traits(nation, terms)) or "no traits"))
    yield table(("Nation", "Trait"), rows)


def _traits(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    """What is special about a nation, a part of a sentence each."""
    yield from _only_it_may_buy(nation, terms)
    yield from _discounts(nation, terms)
    if nation.free:
        free = terms.catalog.units[nation.free.unit]
        yield f"1 {free.name} free for each {nation.free.per} bought"
    if nation.digs_as_engineers:
        yield f"their {_listed(nation.digs_as_engineers, terms)} dig in as engineers do"
    if nation.rifle_in_contact:
        who = "those who fight as rifles"
        if terms.rulings["P42"] == "rifle_only":
            who = "their Rifle Guys"
        yield f"in contact {who} kill guys on {ranks_that_hit(nation.rifle_in_contact)}"


def _only_it_may_buy(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    """The units that a nation alone may buy, by limits that hold for all other nations."""
    for limit in terms.catalog.limits:
        if limit.only_with_nations and nation.id in limit.not_for:
            if limit.most:
                units = _listed(limit.units, terms, limit.most)
                yield f"they alone may buy more than {limit.most} {units}"
            else:
                # All other nations may buy none of these units.
                yield f"they alone may buy {_listed(limit.units, terms)}"


def _discounts(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    """What costs less, and what does not count in the army's strength: a phrase for each list of
    units. If both lists are the same, they share one phrase."""
    spared: list[str] = []
    for condition in nation.spared:
        if condition.holds(terms.rulings):
            spared += condition.units
    cheaper: dict[int, list[str]] = {}
    for discount in nation.discounts:
        if discount.holds(terms.rulings):
            cheaper.setdefault(discount.off, []).extend(discount.units)
    for off, units in cheaper.items():
        trait = f"their {_listed(units, terms)} cost {off} less"
        if units == spared:
            trait += " and do not count as losses"
        yield trait
    # Those who are in one of the lists above have been told of there.
    if spared and spared not in cheaper.values():
        yield f"their {_listed(spared, terms)} do not count as losses"


def _listed(units: Sequence[str], terms: ChartTerms, count: int = 2) -> str:
    """``Tanks and Tigers``, ``Rifle Guys``: guys by their full name, since a rifle is a weapon."""
    names = []
    for id in units:
        unit = terms.catalog.units[id]
        name = unit.short
        if unit.is_guy:
            name = unit.name
        if count > 1:
            name = plural(name)
        names.append(name)
    return listed(names)


def _limits(terms: ChartTerms) -> Chart:
    """The purchase limits, each with what it comes to in a usual army."""
    points = terms.catalog.basic_game.points
    rows = []
    for limit in terms.catalog.limits:
        allowed = limit.bound(points, terms.rulings["P79"])
        rows.append((limit.title, _bound(limit, terms.catalog), f"{float(allowed):g}"))
    yield table(("Limit", "How much", f"At {points}"), rows, numbers=(2,))


def _bound(limit: Limit, catalog: Catalog) -> str:
    """``2 for each 100 points``, ``at most a third``"""
    if limit.most_per_100 is not None:
        return f"{limit.most_per_100} for each 100 points"
    if limit.most == 0:
        return "none"
    if limit.most is not None:
        return f"at most {limit.most}"
    if limit.least_share is not None:
        return f"at least {share(limit.least_share)}"
    # All of an army's points are its budget. A limit has one bound, so that the last one that is
    # left cannot be missing here.
    if limit.most_share in (None, "1"):
        return "all of them"
    most = share(limit.most_share)
    if limit.without:
        exceptions = [plural(catalog.pieces[name].name) for name in limit.without]
        return f"at most {most}, except {listed(exceptions)}"
    return f"at most {most}"


def _prices(terms: ChartTerms) -> Chart:
    """All units and works by what they cost."""
    pieces: list[UnitType | Work] = list(terms.buyable())
    pieces += [work for work in terms.catalog.works.values() if work.source != "scenario"]
    names_by_price: dict[int, list[str]] = {}
    for piece in pieces:
        names_by_price.setdefault(piece.price, []).append(piece.name)
    rows = [(str(price), ", ".join(names)) for price, names in sorted(names_by_price.items())]
    yield table(("Pts", "Each"), rows, numbers=(0,))


def _worth(target: str) -> Callable[[ChartTerms], Chart]:
    """The chart of points worth against one kind of target."""

    def points_worth(terms: ChartTerms) -> Chart:
        yield worth_table(worth(terms.catalog, terms.rulings), target)

    return points_worth


CHARTS: Mapping[str, Callable[[ChartTerms], Chart]] = {
    "chances": _chances,
    "classes": _classes,
    "units": _units,
    "firing": _firing,
    "qualities": _qualities,
    "nations": _nations,
    "limits": _limits,
    "prices": _prices,
    "worthguys": _worth(GUY),
    "worthsoft": _worth(UNARMORED),
    "wortharmor": _worth(ARMORED),
}
"""What makes each chart of the reference, by its name there."""


# ------------------------------------------------------------------ reading

Chapters: TypeAlias = dict[str, dict[str, RuleParagraph]]
"""The file: its paragraphs by chapter and id."""
KINDS = (
    "refusal", "rule", "ask", "phase", "check", "verdict", "limit", "option", "mode", "line",
)  # fmt: skip
"""The first words of topics."""


def read_reference(raw: object, catalog: Catalog, book: PlasticRulingBook, file: str) -> Reference:
    """Raises DataError with every mistake in ``file``, its name in messages."""
    numbers = known_numbers(catalog)
    chapters = read(raw, Chapters, file, partial(_problems, numbers=numbers, book=book))
    paragraphs = {}
    for chapter, raw_paragraphs in chapters.items():
        for id, raw_paragraph in raw_paragraphs.items():
            text = tuple(filled_in(raw_text, numbers).text for raw_text in raw_paragraph.text)
            paragraphs[id] = msgspec.structs.replace(
                raw_paragraph, id=id, chapter=chapter, text=text
            )
    topics = {}
    for paragraph in paragraphs.values():
        for topic in paragraph.topics:
            topics[topic] = paragraph.id
    return Reference(paragraphs, topics, book)


def _problems(
    chapters: Chapters, numbers: Mapping[str, Any], book: PlasticRulingBook
) -> Iterator[Problem]:
    """What is wrong with the texts of the rules: ids that stand there twice, references to nothing,
    topics of two paragraphs."""
    ids: list[str] = []
    for chapter in chapters.values():
        ids += chapter
    names: dict[str, Iterable[str]] = {"ruling": book.rulings, "paragraph": ids, "chart": CHARTS}
    keys_by_topic: dict[str, str] = {}
    for part in parts(chapters, Chapters):
        if part.is_struct:  # a paragraph
            id = part.key.rpartition(".")[2]
            if ids.count(id) > 1:
                yield Problem(part.key, f"{id} stands there twice.")
            yield from _text_problems(part.key, part.value, numbers)
            yield from _topic_problems(part.key, part.value, keys_by_topic)
        elif part.value not in names[part.refers_to]:
            hint = suggest(part.value, names[part.refers_to])
            yield Problem(part.key, f"no {part.refers_to} {part.value!r}; {hint}")


def _text_problems(
    key: str, paragraph: RuleParagraph, numbers: Mapping[str, Any]
) -> Iterator[Problem]:
    """Numbers in the text of a paragraph that are typed bare, or that nothing is called by."""
    for index, text in enumerate(paragraph.text):
        for problem in filled_in(text, numbers).problems:
            yield Problem(f"{key}.text[{index}]", problem)


def _topic_problems(
    key: str, paragraph: RuleParagraph, keys_by_topic: dict[str, str]
) -> Iterator[Problem]:
    """The topics of a paragraph; the key of the first paragraph of each is noted."""
    for topic in paragraph.topics:
        kind = topic.partition(" ")[0]
        if kind not in KINDS:
            yield Problem(f"{key}.for", f"no kind {kind!r}; {suggest(kind, KINDS)}")
        first = keys_by_topic.setdefault(topic, key)
        if first != key:
            yield Problem(f"{key}.for", f"{topic} stands at {first} already.")


# A place for a number in a text, with its form behind a colon: ``{fire.exact_within:in}``,
# ``{=2}``.
_PLACE = re.compile(r"\{(?P<name>=?[^{}:]+)(?::(?P<form>\w+))?\}")
_BARE = re.compile(r"\d+")
# "phases 3 and 4", "88s": phases and the gun are called by numbers that are none of the rules.
_NO_NUMBERS = re.compile(r"\bphases? \d(?: (?:and|or) \d)?|\b88s?\b")


def known_numbers(catalog: Catalog) -> dict[str, Any]:
    """What a text may name. ``limits.ID.allowed`` is the bound at the points of the basic game."""
    numbers: dict[str, Any] = msgspec.to_builtins(catalog)
    points = catalog.basic_game.points
    numbers["limits"] = {}
    for limit in catalog.limits:
        # A text is that of all battles, so P79 has its default here.
        allowed = str(limit.bound(points, "pro_rata"))
        numbers["limits"][limit.id] = {**msgspec.to_builtins(limit), "allowed": allowed}
    # These are constants of the program and in no file: no edition of the rules could change them.
    numbers |= {"deck": len(DECK), "die": DIE, "raft_seats": RAFT_SEATS, "worth_group": GROUP}
    return numbers


class FilledIn(NamedTuple):
    """A text on one line with its numbers, and what is wrong with it."""

    text: str
    problems: list[str]


def filled_in(text: str, numbers: Mapping[str, Any]) -> FilledIn:
    """The text with the numbers that its braces name."""
    text = text.strip().replace("\n", " ")
    problems = []
    for bare in bare_numbers(text):
        problems.append(
            f"{bare} is typed bare; name it from the catalog ({{fire.exact_within:in}}), "
            f"or mark it as stated only here ({{={bare}}})."
        )

    def number(place: re.Match[str]) -> str:
        form = _FORMS.get(place["form"] or "")
        try:
            if form is not None:
                return form(_value(place["name"], numbers))
        except (KeyError, IndexError, ValueError, TypeError):
            # There is no such number, or it has no such form.
            pass
        problems.append(f"{place[0]} names no number that can be written so.")
        return place[0]

    return FilledIn(_PLACE.sub(number, text), problems)


def bare_numbers(text: str) -> list[str]:
    """Numbers outside braces."""
    return _BARE.findall(_NO_NUMBERS.sub("", _PLACE.sub("", text)))


def _value(name: str, numbers: Mapping[str, Any]) -> Any:
    """What a name of a text stands for: steps down into the catalog, or a number (``=2``)."""
    if name.startswith("="):
        return int(name[1:])
    value: Any = numbers
    for step in name.split("."):
        if isinstance(value, tuple):
            value = value[int(step)]
        else:
            value = value[step]
    return value


def _plain(value: Any) -> str:
    """A number or a text as it stands; a ValueError for anything else, such as a whole table."""
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise ValueError
    return str(value)


def _feet(value: Any) -> str:
    """``4 ft``."""
    return f"{int(value)}{NO_BREAK}ft"


def _word(value: Any) -> str:
    """A number in a word, ``two``. A ValueError for one that is too great for that: the text should
    have it in digits."""
    word = number_word(value)
    if word.isdecimal():
        raise ValueError
    return word


def _capital_word(value: Any) -> str:
    return _word(value).capitalize()


_FORMS: dict[str, Callable[[Any], str]] = {
    "": _plain,
    "in": inches,
    "ft": _feet,
    "run": ranks_that_hit,
    "rank": rank,
    "share": share,
    "suits": suits,
    "word": _word,
    "Word": _capital_word,
}
"""How a number of the rules is written in a text, by the word behind its name."""
