"""One shot: its odds are the sum of the battle's own judgement over all draws."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import OddsError, Pack, ShotOdds, one_shot
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim, judge, why_not
from skirmish.tabletop.chance import Source, parse_card

CATALOG, BOOK = library.catalog(), library.rulings()
RULINGS = BOOK.defaults()


def rulings() -> Iterator[dict[str, str]]:
    """As usual, and each live ruling on shots and checks answered otherwise."""
    yield RULINGS
    for ruling in BOOK.about(["shot", "check"]):
        for answer in ruling.answers if ruling.mode == "live" else ():
            if answer != ruling.default:
                yield {**RULINGS, ruling.id: answer}


def circumstances() -> list[Circumstances]:
    flags = list(product((False, True), repeat=3))
    places = [(5.0, False, 2, True), (5.0, False, 1, False), (3.0, False, 2, True)]
    places.append((0.0, True, 3, True))
    return [
        Circumstances(
            distance=distance,
            touching=touching,
            phase=phase,
            cover=cover,
            hull_down=hull,
            rear=rear,
            grouped=grouped,
        )
        for (distance, touching, phase, grouped), (cover, hull, rear) in product(places, flags)
    ]


def all_aims() -> set[Aim]:
    found = set()
    places = circumstances()
    japanese = CATALOG.nations["japanese"]
    for answers in rulings():
        for shooter, target in product(CATALOG.units.values(), repeat=2):
            for weapon in {w.id: w for w in CATALOG.weapons_of(shooter, answers)}.values():
                nations = (None, japanese) if shooter.is_guy and target.is_guy else (None,)
                for at, nation in product(places, nations):
                    shot = Shot(
                        shooter=shooter,
                        weapon=weapon,
                        target=target,
                        circumstances=at,
                        nation=nation,
                    )
                    refusal = why_not(shot, CATALOG, answers)
                    if refusal is None or not refusal.firm:
                        found.add(aim(shot, CATALOG, answers))
    return found


def summed(aimed: Aim, pack: Pack) -> dict[str, Fraction]:
    """What ``judge`` says of every draw and second draw that can come, each weighed alike."""
    told = dict.fromkeys(("hit", "cover", "hull_down", "exact", "tested", "broken"), Fraction(0))
    draws = packs.draws_of(pack.possible, pack.die)
    for draw in draws:
        p = Fraction(1, len(draws))
        verdict = judge(aimed, draw)
        told["hit"] += p * verdict.hit
        told["exact"] += p * verdict.exact_figure
        if verdict.saved_by:
            told[verdict.saved_by] += p
        if verdict.breakdown:
            told["tested"] += p
            seconds = draws if pack.die else [card for card in draws if card != draw]
            if not seconds:
                seconds = [card for card in DECK if card != draw or not pack.queen_aside]
            for second in seconds:
                broken = judge(aimed, draw, second).breakdown == "broken"
                told["broken"] += p * Fraction(broken, len(seconds))
    return told


def told(found: ShotOdds) -> dict[str, Fraction]:
    return {
        "hit": found.hit,
        "cover": found.saved_by_cover,
        "hull_down": Fraction(found.by_hull_down, found.draws),
        "exact": found.exact,
        "tested": Fraction(found.tests, found.draws),
        "broken": found.broken,
    }


def test_the_odds_are_the_sum_of_the_battles_judgement_for_every_shot_there_is() -> None:
    aims = all_aims()
    assert len(aims) > 150
    left = ["QS", "QH", "AS", "AD", "2C", "5H", "5S", "8C", "8D", "10S"]
    some = Pack(left=packs.bits(parse_card(card) for card in left))
    for aimed in aims:
        for pack in (Pack(), some, packs.of_die()):
            assert told(one_shot(aimed, pack)) == summed(aimed, pack), (aimed, pack)


@pytest.mark.parametrize("aside", [True, False])
def test_the_queen_as_the_last_card_is_tested_out_of_the_next_shuffle(aside: bool) -> None:
    aimed = aim_of("machinegun", "rifle")
    last = Pack(left=packs.bits([parse_card("QS")]), queen_aside=aside)
    found = one_shot(aimed, last)
    assert (found.hit, Fraction(found.tests, found.draws)) == (0, 1)
    assert found.broken == (Fraction(11, 47) if aside else Fraction(12, 48))
    assert told(found) == summed(aimed, last)


def test_an_empty_deck_is_counted_as_it_will_be_after_the_shuffle() -> None:
    aimed = aim_of("machinegun", "rifle")
    assert one_shot(aimed, Pack(left=0)) == one_shot(aimed, Pack())


def aim_of(shooter: str, target: str, **at: object) -> Aim:
    unit = CATALOG.units[shooter]
    shot = Shot(
        shooter=unit,
        weapon=CATALOG.weapons[unit.weapons[0]],
        target=CATALOG.units[target],
        circumstances=Circumstances(**{"distance": 6, **at}),  # type: ignore[arg-type]
    )
    return aim(shot, CATALOG, RULINGS)


# What can be drawn


def test_a_deck_is_written_as_what_is_gone_or_what_is_left() -> None:
    gone = packs.parse("gone: QS 4h, 10D", RULINGS)
    assert gone.count == 45
    assert packs.parse("QS 4H 10D", RULINGS) == gone
    left = packs.parse(f"left: {' '.join(map(str, packs.draws_of(gone.left)))}", RULINGS)
    assert left == gone
    assert packs.parse("", RULINGS) == packs.parse("gone:", RULINGS) == Pack()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gone: 4H ZZ", "'ZZ' is no card"),
        ("gone: KS", "KS is not in this deck: it ends at QS"),
        ("gone: 4H QS 4h", "4H is gone twice, but a deck has one of each card."),
        (f"gone: {' '.join(map(str, DECK))} AS", "49 cards are gone, but a deck has 48."),
        ("left:", "No card is left"),
        ("left: QS QS", "QS is left twice, but a deck has one of each card."),
        (f"left: {' '.join(map(str, DECK))} AS", "49 cards are left, but a deck has 48."),
        ("drawn: QS", "'drawn:' is no card"),
    ],
)
def test_a_deck_that_cannot_be_is_one_sentence(text: str, says: str) -> None:
    with pytest.raises(OddsError, match=r"\.$") as caught:
        packs.parse(text, RULINGS)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_a_battles_source_is_what_can_be_drawn_from_it() -> None:
    queen, four = parse_card("QS"), parse_card("4H")
    assert packs.of_source(Source(gone=(four,), aside=queen), RULINGS).count == 46
    assert packs.of_source(Source(kind="die"), RULINGS) == packs.of_die()
    assert packs.of_source(Source(gone=(four, four)), RULINGS).count == 47
