"""The rules in our own words, found by a question or by a message. A paragraph's topics are its
uses: ``refusal range``, ``ask casualty``, ``phase 2``, ``limit budget``.

They are read from data/plastic/texts/reference.toml and a similar file. Numbers in the text come
from the catalog: ``{fire.exact_within:in}`` is the number of that name, in inches; ``{=2:in}`` is a
number that no catalog has. A number outside braces is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, partial
from typing import Annotated, Any, TypeAlias, cast

import msgspec

from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.odds.worth import GROUP, TARGETS, worth, worth_table
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
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge, run
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.data_file import Problem, Refers, parts, read, suggest
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.number_words import number_word
from skirmish.tabletop.page import Block, Heading, Note, Page, Paragraph, Table, table

NEAR = 0.72
"""The similarity (difflib) required of a mistyped word; ``FAINT`` for a title that is only
suggested."""
FAINT = 0.6
SHORTEST = 4
_WORD = re.compile(r"[^\W_]+")

TITLE, WORDS, CHAPTER, TEXT, RULING = 100, 60, 20, 8, 3


class Rule(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"topics": "for"}
):
    """``rulings`` and ``see`` are ids, ``words`` additional search terms. The keys of its table are
    its chapter and id."""

    id: str = ""
    chapter: str = ""
    title: str
    text: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    charts: tuple[Annotated[str, Refers("chart")], ...] = ()
    rulings: tuple[Annotated[str, Refers("ruling")], ...] = ()
    see: tuple[Annotated[str, Refers("paragraph")], ...] = ()
    topics: tuple[str, ...] = ()
    words: str = ""


class Reference(msgspec.Struct, frozen=True, dict=True):
    """``topics`` maps each topic to a paragraph's id."""

    paragraphs: dict[str, Rule]
    topics: dict[str, str]
    book: PlasticRulingBook

    def chapters(self) -> Iterator[tuple[str, list[Rule]]]:
        found: dict[str, list[Rule]] = {}
        for paragraph in self.paragraphs.values():
            found.setdefault(paragraph.chapter, []).append(paragraph)
        yield from found.items()

    def on(self, *topics: str) -> Rule | None:
        for topic in topics:
            if topic in self.topics:
                return self.paragraphs[self.topics[topic]]
        return None

    def named(self, name: str) -> Rule | None:
        """By id, topic, ruling, or line of the set-up: ``option:pinning`` is the topic ``option
        pinning``, ``draws:german`` is ``line draws``."""
        if name in self.paragraphs:
            return self.paragraphs[name]
        kind = name.partition(":")[0]
        return self.on(name, name.replace(":", " "), f"line {kind}", f"option {kind}") or (
            self.holding(name)
        )

    def about(self, code: str, rule: str = "") -> Rule | None:
        """The paragraph for a refusal. Its rule may end with a ruling: ``Loading or Unloading,
        P27``."""
        name, _, ruling = rule.partition(", ")
        return (
            self.on(f"refusal {code} ({name})", f"refusal {code}")
            or self.on(f"rule {name}")
            or self.holding(ruling or name)
        )

    def holding(self, ruling: str) -> Rule | None:
        return next((one for one in self.paragraphs.values() if ruling in one.rulings), None)

    def page(
        self, rule: Rule, terms: ChartTerms, scenario: int | None = None, whose: str = ""
    ) -> Page:
        blocks: list[Block] = [Paragraph(text) for text in rule.text]
        for name in rule.charts:
            blocks += CHARTS[name](terms)
        rulings = [self.book.rulings[name] for name in rule.rulings]
        if filled := [*_answered(rulings, terms.rulings, scenario)]:
            blocks += [Heading("Rulings", aside=whose), *filled]
        return Page(rule.title, tuple(blocks), about=(rule.chapter,))

    @cached_property
    def _weights(self) -> dict[str, dict[str, int]]:
        """The weight by rule and word; a word in several places counts by the best one."""
        return {rule.id: dict(self._words_of(rule)) for rule in self.paragraphs.values()}

    def _words_of(self, rule: Rule) -> Iterator[tuple[str, int]]:
        rulings = [self.book.rulings[name] for name in rule.rulings]
        places: tuple[tuple[int, Iterable[str]], ...] = (
            (RULING, [f"{one.title} {one.question}" for one in rulings]),
            (TEXT, rule.text),
            (CHAPTER, [rule.chapter]),
            (WORDS, [*rule.rulings, rule.words]),
            (TITLE, [rule.title]),
        )
        for weight, texts in places:
            for text in texts:
                yield from ((word, weight) for word in split(text))

    def search(self, query: str) -> list[Rule]:
        """The paragraphs that match every word, including beginnings and typing errors; all for an
        empty query."""
        typed = split(query)
        known = {word for found in self._weights.values() for word in found}
        wanted = [_meant(word, known) for word in typed]
        scores = {name: _score(wanted, found) for name, found in self._weights.items()}
        found = [one for one in self.paragraphs.values() if scores[one.id] or not typed]
        return sorted(found, key=lambda one: (split(one.title) != typed, -scores[one.id]))

    def near_titles(self, query: str, most: int = 3) -> list[Rule]:
        rules = self.paragraphs.values()
        known = {word: one for one in rules for word in split(one.words)}
        known |= {word: one for one in rules for word in split(one.title)}
        near = (get_close_matches(word, known, most, FAINT) for word in split(query))
        return list(dict.fromkeys(known[word] for words in near for word in words))[:most]


def rulings_page(
    book: PlasticRulingBook, answers: Mapping[str, str], scenario: int | None = None
) -> Page:
    blocks: list[Block] = []
    for topic, title in TOPICS.items():
        found = [*_answered(book.about([topic]), answers, scenario)]
        blocks += [Heading(title), *found] if found else []
    return Page("Rulings: how gaps in the rules are filled", tuple(blocks))


def _answered(
    rulings: Iterable[PlasticRuling], answers: Mapping[str, str], scenario: int | None
) -> Iterator[Paragraph]:
    """In a battle of ``scenario``, those of other scenarios are left out."""
    for ruling in rulings:
        if scenario is None or not ruling.scenarios or scenario in ruling.scenarios:
            answer = answers.get(ruling.id, ruling.default)
            other = "" if answer == ruling.default else "NOT THE DEFAULT: "
            text = f"{other}{ruling.answers.get(answer, answer)}"
            lead = f"{ruling.id} {ruling.title}."
            yield Paragraph(text, lead, aside=ruling.question)


def split(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _meant(word: str, known: set[str]) -> str:
    if len(word) < SHORTEST or any(one.startswith(word) for one in known):
        return word
    near = get_close_matches(word, sorted(known), n=1, cutoff=NEAR)
    return near[0] if near else word


def _score(wanted: list[str], found: Mapping[str, int]) -> int:
    """Half for a match of the beginning only; 0 unless every word matches."""
    total = 0
    for word in wanted:
        near = [(known, weight) for known, weight in found.items() if known.startswith(word)]
        if not near:
            return 0
        total += max(2 * weight if known == word else weight for known, weight in near)
    return total


# ------------------------------------------------------------------ tables

Chart: TypeAlias = Iterator[Table | Note]


class ChartTerms(msgspec.Struct, frozen=True):
    catalog: Catalog
    rulings: Mapping[str, str]

    def buyable(self) -> list[UnitType]:
        return [unit for unit in self.catalog.units.values() if unit.source != "scenario"]


def chart(name: str, terms: ChartTerms) -> Table:
    return cast("Table", next(CHARTS[name](terms)))


def share(text: str) -> str:
    """``1/6`` is ``a sixth``."""
    return {2: "half", 3: "a third", 6: "a sixth", 1: "all"}[Fraction(text).denominator]


def rank(value: int) -> str:
    return {1: "ace", 11: "jack", 12: "queen"}.get(value, str(value))


def suits(letters: str) -> str:
    return {"S": "a spade", "SC": "a black card", "CHD": "anything but a spade"}[letters]


# ------------------------------------------------------------------ the charts


def _chances(terms: ChartTerms) -> Chart:
    catalog = terms.catalog
    rifle, target = catalog.units["rifle"], catalog.units["rifle"]
    weapon = catalog.weapons["rifle"]
    kills = [
        kill.needs
        for one in catalog.weapons.values()
        for kill in (one.guys, one.unarmored, one.armored)
        if kill
    ]
    die = [Draw(face) for face in range(1, DIE + 1)]
    rows = []
    for needs in sorted(set(kills)):
        cells = [run(needs)]
        for cover, draws in ((False, list(DECK)), (True, list(DECK)), (True, die)):
            at = Circumstances(distance=1, cover=cover)
            shot = Shot(shooter=rifle, weapon=weapon, target=target, at=at)
            aimed = msgspec.structs.replace(aim(shot, catalog, terms.rulings), needs=needs)
            hits = sum(judge(aimed, draw).hit for draw in draws)
            cells.append(f"{percent(Fraction(hits, len(draws)))}%")
        rows.append(tuple(cells))
    heads = ("Needs", "In the open", "Cover, card", "Cover, die")
    yield table(heads, rows, numbers=(1, 2, 3))


def _classes(terms: ChartTerms) -> Chart:
    kinds: dict[str, list[str]] = {"guy": [], "unarmored": [], "armored": []}
    for unit in terms.buyable():
        craft = "landing_craft" in unit.tags and terms.rulings["P3"] == "unarmored"
        kinds["unarmored" if craft else unit.kind].append(unit.short)
    names = {"guy": "Guys", "unarmored": "Unarmored", "armored": "Armored"}
    rows = tuple((names[kind], ", ".join(units)) for kind, units in kinds.items())
    yield table(("Class", "Who"), rows)


def _units(terms: ChartTerms) -> Chart:
    rows = []
    for unit in terms.buyable():
        arms = terms.catalog.weapons_of(unit, terms.rulings)
        names = dict.fromkeys(weapon.name for weapon in arms)
        fires = ", ".join(
            f"2 × {name}" if sum(w.name == name for w in arms) > 1 else name for name in names
        )
        seats = str(unit.seats) if unit.seats else NONE
        rows.append((unit.short, str(unit.price), _move(unit), seats, fires or NONE))
    heads = ("Unit", "Pts", "Move", "Seats", "Fires")
    yield table(heads, rows, numbers=(1, 3))
    yield from (Note(note) for unit in terms.buyable() for note in _notes(unit))


def _move(unit: UnitType) -> str:
    if unit.water_move and not unit.move:
        return f"{inches(unit.water_move)} wet"
    return inches(unit.move) if unit.move else NONE


def _notes(unit: UnitType) -> Iterator[str]:
    if unit.move and unit.water_move:
        yield f"{unit.short}: {inches(unit.water_move)} on water."
    if unit.note:
        yield f"{unit.short}: {unit.note}"


def _firing(terms: ChartTerms) -> Chart:
    guns = Firing(terms.catalog, terms.rulings, None).table(terms.buyable())
    rows, notes = [], []
    for gun in guns:
        entry = gun.entry
        reach, _, further = entry.reach.partition(", ")
        rows.append((entry.weapon, entry.guys, entry.armored, entry.unarmored, reach))
        if also := "; ".join(filter(None, (further, gun.also))):
            notes.append(f"{entry.weapon}: {also}.")
    heads = ("Weapon", "Guys", "Armored", "Unarm.", "Range")
    yield table(heads, rows)
    yield from map(Note, notes)


def _qualities(terms: ChartTerms) -> Chart:
    rows = []
    for quality in terms.catalog.qualities.values():
        ends = quality.movement_ends_from
        stops = f"{rank(ends)} and up" if ends else "never"
        by_suit = terms.rulings["P29"] == "suits"
        pinned = _SUITS[quality.pinned_suits] if by_suit else f"{quality.pinned_from} and up"
        points = f"+{quality.bonus_percent}%"
        rows.append((quality.name, stops, pinned, f"{quality.pinned_from}-{DIE}", points))
    heads = ("Troops", "Move ends", "Pinned, card", "Die", "Points")
    yield table(heads, rows, numbers=(4,))


_SUITS = {"S": "spades", "SC": "black", "CHD": "no spade"}


def _nations(terms: ChartTerms) -> Chart:
    rows = tuple(
        (nation.people, "; ".join(_traits(nation, terms)) or "no traits")
        for nation in terms.catalog.nations.values()
    )
    yield table(("Nation", "Trait"), rows)


def _traits(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    names = terms.catalog.units
    for limit in terms.catalog.limits:
        if limit.only_with_nations and nation.id in limit.not_for:
            most = f"more than {limit.most} " if limit.most else ""
            yield f"they alone may buy {most}{_listed(limit.units, terms, limit.most or 2)}"
    spared = [unit for one in nation.spared if one.holds(terms.rulings) for unit in one.units]
    cheaper: dict[int, list[str]] = {}
    for discount in nation.discounts:
        if discount.holds(terms.rulings):
            cheaper.setdefault(discount.off, []).extend(discount.units)
    for off, units in cheaper.items():
        too = " and do not count as losses" if units == spared else ""
        yield f"their {_listed(units, terms)} cost {off} less{too}"
    if spared and spared not in cheaper.values():
        yield f"their {_listed(spared, terms)} do not count as losses"
    if nation.free:
        yield f"1 {names[nation.free.unit].name} free for each {nation.free.per} bought"
    if nation.digs_as_engineers:
        yield f"their {_listed(nation.digs_as_engineers, terms)} dig in as engineers do"
    if nation.rifle_in_contact:
        only = terms.rulings["P42"] == "rifle_only"
        who = "their Rifle Guys" if only else "those who fight as rifles"
        yield f"in contact {who} kill guys on {run(nation.rifle_in_contact)}"


def _listed(units: Sequence[str], terms: ChartTerms, count: int = 2) -> str:
    """``Tanks and Tigers``, ``Rifle Guys``: guys by their full name, since a rifle is a weapon."""
    known = [terms.catalog.units[unit] for unit in units]
    found = [unit.name if unit.is_guy else unit.short for unit in known]
    if count > 1:
        found = [plural(name) for name in found]
    return listed(found)


def _limits(terms: ChartTerms) -> Chart:
    points = terms.catalog.basic_game.points
    rows = tuple(
        (
            limit.title,
            _bound(limit, terms.catalog),
            f"{float(limit.bound(points, terms.rulings['P79'])):g}",
        )
        for limit in terms.catalog.limits
    )
    yield table(("Limit", "How much", f"At {points}"), rows, numbers=(2,))


def _bound(limit: Limit, catalog: Catalog) -> str:
    if limit.most_per_100 is not None:
        return f"{limit.most_per_100} for each 100 points"
    if limit.most is not None:
        return f"at most {limit.most}" if limit.most else "none"
    if limit.least_share is not None:
        return f"at least {share(limit.least_share)}"
    whole = share(limit.most_share or "1")
    but = ", except " + listed([plural(catalog.pieces[name].name) for name in limit.without])
    return "all of them" if whole == "all" else f"at most {whole}{but if limit.without else ''}"


def _prices(terms: ChartTerms) -> Chart:
    by_price: dict[int, list[str]] = {}
    works = [work for work in terms.catalog.works.values() if work.source != "scenario"]
    pieces: list[UnitType | Work] = [*terms.buyable(), *works]
    for piece in pieces:
        by_price.setdefault(piece.price, []).append(piece.name)
    rows = tuple((str(price), ", ".join(by_price[price])) for price in sorted(by_price))
    yield table(("Pts", "Each"), rows, numbers=(0,))


def _worth(terms: ChartTerms, target: str) -> Chart:
    yield worth_table(worth(terms.catalog, terms.rulings), target)


CHARTS: Mapping[str, Callable[[ChartTerms], Chart]] = {
    "chances": _chances,
    "classes": _classes,
    "units": _units,
    "firing": _firing,
    "qualities": _qualities,
    "nations": _nations,
    "limits": _limits,
    "prices": _prices,
    "worthguys": lambda terms: _worth(terms, TARGETS[0]),
    "worthsoft": lambda terms: _worth(terms, TARGETS[1]),
    "wortharmor": lambda terms: _worth(terms, TARGETS[2]),
}


# ------------------------------------------------------------------ reading

Chapters: TypeAlias = dict[str, dict[str, Rule]]
KINDS = (
    "refusal", "rule", "ask", "phase", "check", "verdict", "limit", "option", "mode", "line",
)  # fmt: skip
"""The first words of topics."""


def read_reference(raw: object, catalog: Catalog, book: PlasticRulingBook, file: str) -> Reference:
    """Raises DataError with every mistake in ``file``, its name in messages."""
    known = known_numbers(catalog)
    chapters = read(raw, Chapters, file, partial(_problems, known=known, book=book))
    rules = {}
    for chapter, paragraphs in chapters.items():
        for id, rule in paragraphs.items():
            text = tuple(filled_in(one, known)[0] for one in rule.text)
            rules[id] = msgspec.structs.replace(rule, id=id, chapter=chapter, text=text)
    topics = {topic: rule.id for rule in rules.values() for topic in rule.topics}
    return Reference(rules, topics, book)


def _problems(
    chapters: Chapters, known: Mapping[str, Any], book: PlasticRulingBook
) -> Iterator[Problem]:
    ids = [id for chapter in chapters.values() for id in chapter]
    names: dict[str, Iterable[str]] = {"ruling": book.rulings, "paragraph": ids, "chart": CHARTS}
    topics: dict[str, str] = {}
    for key, one, to in parts(chapters, Chapters):
        if to and one not in names[to]:
            yield Problem(key, f"no {to} {one!r}; {suggest(one, names[to])}")
        if to:
            continue
        if ids.count(id := key.rpartition(".")[2]) > 1:
            yield Problem(key, f"{id} stands there twice.")
        for nth, text in enumerate(one.text):
            for wrong in filled_in(text, known)[1]:
                yield Problem(f"{key}.text[{nth}]", wrong)
        for topic in one.topics:
            kind = topic.partition(" ")[0]
            if kind not in KINDS:
                yield Problem(f"{key}.for", f"no kind {kind!r}; {suggest(kind, KINDS)}")
            if topics.setdefault(topic, key) != key:
                yield Problem(f"{key}.for", f"{topic} stands at {topics[topic]} already.")


_PLACE = re.compile(r"\{(?P<name>=?[^{}:]+)(?::(?P<how>\w+))?\}")
_BARE = re.compile(r"\d+")
_NO_NUMBERS = re.compile(r"\bphases? \d(?: (?:and|or) \d)?|\b88s?\b")


def known_numbers(catalog: Catalog) -> dict[str, Any]:
    """``limits.ID.allowed`` is the bound at the points of the basic game."""
    found: dict[str, Any] = msgspec.to_builtins(catalog)
    points = catalog.basic_game.points
    found["limits"] = {
        limit.id: msgspec.to_builtins(limit) | {"allowed": str(limit.bound(points, "pro_rata"))}
        for limit in catalog.limits
    }
    alone = {"deck": len(DECK), "die": DIE, "raft_seats": RAFT_SEATS, "worth_group": GROUP}
    return found | alone


def filled_in(text: str, known: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The text on one line with its numbers, and what is wrong with it."""
    text = text.strip().replace("\n", " ")
    wrong = [
        f"{bare} is typed bare; name it from the catalog ({{fire.exact_within:in}}), "
        f"or mark it as stated only here ({{={bare}}})."
        for bare in bare_numbers(text)
    ]

    def number(place: re.Match[str]) -> str:
        try:
            return _FORMS[place["how"] or ""](_value(place["name"], known))
        except (KeyError, IndexError, ValueError, TypeError):
            wrong.append(f"{place[0]} names no number that can be written so.")
            return place[0]

    return _PLACE.sub(number, text), wrong


def bare_numbers(text: str) -> list[str]:
    return _BARE.findall(_NO_NUMBERS.sub("", _PLACE.sub("", text)))


def _value(name: str, known: Mapping[str, Any]) -> Any:
    if name.startswith("="):
        return int(name[1:])
    found: Any = known
    for step in name.split("."):
        found = found[int(step)] if isinstance(found, tuple) else found[step]
    return found


def _plain(value: Any) -> str:
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise ValueError
    return str(value)


def _feet(value: Any) -> str:
    return f"{int(value)}{NO_BREAK}ft"


def _word(value: Any) -> str:
    """A number that is too great for a word is refused: the text should have it in digits."""
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
    "run": run,
    "rank": rank,
    "share": share,
    "suits": suits,
    "word": _word,
    "Word": _capital_word,
}
