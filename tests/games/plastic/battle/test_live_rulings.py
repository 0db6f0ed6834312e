"""Every live ruling, by an example in which each of its answers ends differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from stage import CARDS, DICE, armies, lost, of, scenario

from skirmish import library
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk
from skirmish.games.plastic.battle.events import Shuffled
from skirmish.games.plastic.battle.orders import (
    Again,
    Correct,
    EndPhase,
    EndTurn,
    Exit,
    Fire,
    Load,
    Reveal,
    Volley,
)
from skirmish.games.plastic.battle.orders import why_not as why_not_order
from skirmish.games.plastic.battle.progress import victory_status, way_out
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.strength import beating_loss
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.games.plastic.rules.breaches import breaches
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.checks import is_pinned
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge, why_not
from skirmish.tabletop.chance import Draw, parse_card

CATALOG = library.catalog()
BOOK = library.rulings()
CLOSE = {"distance": 0, "touching": True, "phase": 3}

Answers = dict[str, str]
Example = Callable[[Answers], object]


def needs(
    shooter: str, target: str, nation: str | None = None, slot: int = 0, **at: Any
) -> Example:
    """The number that a shot needs."""
    return lambda answers: aimed(answers, shooter, target, nation, slot, **at)[1].needs


def verdict(shooter: str, target: str, draw: str | int, **at: Any) -> Example:
    """What one draw does."""

    def example(answers: Answers) -> object:
        _, shot = aimed(answers, shooter, target, **at)
        return judge(shot, parse_card(draw) if isinstance(draw, str) else Draw(draw))

    return example


def legal(shooter: str, target: str, **at: Any) -> Example:
    """Whether a shot is allowed."""
    return lambda answers: aimed(answers, shooter, target, **at)[0] is None


def aimed(
    answers: Answers,
    shooter: str,
    target: str,
    nation: str | None = None,
    slot: int = 0,
    **at: Any,
) -> Any:
    rulings = BOOK.answered(answers)
    unit = CATALOG.units[shooter]
    shot = Shot(
        shooter=unit,
        weapon=CATALOG.weapons_of(unit, rulings)[slot],
        target=CATALOG.units[target],
        circumstances=Circumstances(**{"distance": 6, **at}),
        nation=CATALOG.nations[nation] if nation else None,
    )
    return why_not(shot, CATALOG, rulings), aim(shot, CATALOG, rulings)


def army(measure: str, units: dict[str, int], **more: Any) -> Example:
    """What an army list comes to: its break point, its price, the limits it breaks."""

    def example(answers: Answers) -> object:
        found = muster(
            ArmyList(name="An army", units=units, rulings=answers, **more), CATALOG, BOOK
        )
        if measure == "breaches":
            return [breach.limit.id for breach in breaches(found)]
        return getattr(found, measure)

    return example


def a_tank_breaks_down(answers: Answers) -> object:
    return lost(
        armies({"rifle": 9}, {"tank": 1}, answers=answers).fire("tank", "rifle", "QS", "2S")
    )


def a_second_card_that_would_hit(answers: Answers) -> object:
    return lost(
        armies({"rifle": 1, "tank": 1}, {"tank": 1}, answers=answers).fire(
            "tank", "rifle", "QS", "2H", weapon="machinegun"
        )
    )


def both_sides_fire(answers: Answers) -> object:
    table = armies({"rifle": 9}, {"rifle": 9}, answers=answers)
    table.fire("rifle", "rifle", "9H")
    table.at(1, "first", 3).fire("rifle", "rifle", "9D")
    return [len(source.gone) for source in table.state.sources.values()]


def the_first_player_turn_ends(answers: Answers) -> object:
    table = armies({"rifle": 9}, {"rifle": 9}, answers=answers)
    table.fire("rifle", "rifle", "9H")
    return len(of(Shuffled, table.order(EndTurn())))


def a_red_king_less_pin(answers: Answers) -> object:
    return is_pinned(None, parse_card("9H"), CATALOG, BOOK.answered(answers))


def scenario_one_breaks(answers: Answers) -> object:
    return beating_loss(scenario(1, answers=answers).state, "german")


def half_of_the_elefants_force(answers: Answers) -> object:
    return victory_status(scenario(7, answers=answers).state)[0].text


def an_airfield_without_a_clock(answers: Answers) -> object:
    return scenario(3, answers=answers).state.setup.ends_after


def seats_in_the_craft(answers: Answers) -> object:
    chosen = SetupChoices(rulings=answers)
    return Counter(scenario(10, chosen=chosen).state.aboard.values())


def tobruk_has_a_tank(answers: Answers) -> object:
    return [p.unit for p in scenario(4, answers=answers).state.setup.pieces if "tank" in p.unit]


def a_chain_past_the_break_point(answers: Answers) -> object:
    table = armies({"rifle": 3}, {"machinegun": 1}, answers=answers)
    table.fire("machinegun", "rifle", "5H")
    table.order(Again())
    table.show("4H")
    return table.state.outcome


def the_last_card_is_the_queen(answers: Answers) -> object:
    table = armies({"rifle": 200}, {"machinegun": 1, "rifle": 60}, answers=answers)
    for card in DECK:
        if card != parse_card("QS"):
            table.fire("rifle", "rifle", str(card), insist=True)
    table.fire("machinegun", "rifle", "QS")
    return table.state.sources["second"].aside


def dog_beach_ends(answers: Answers) -> object:
    return scenario(10, answers=answers).state.setup.ends_after


def the_way_out_of_the_basic_game(answers: Answers) -> object:
    return way_out(armies({"rifle": 9}, {"rifle": 9}, answers=answers).state.setup, "first")


def one_machinegun_at_two_men(answers: Answers) -> object:
    table = armies({"rifle": 9}, {"machinegun": 1}, answers=answers)
    shot = table.shot("machinegun", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=1, reach=2))
    table.show("2H")
    if isinstance(table.state.ask, DrawAsk):
        table.show("3H")
    return table.alive("first", "rifle")


def repeat_fire_away_from_contact(answers: Answers) -> object:
    table = armies({"rifle": 5, "mortar": 2}, {"grenade": 1}, answers=answers).at(1, "first", 4)
    table.fire("grenade", "rifle", "5H")
    table.order(Again(target="first/first/mortar"))
    table.show("5D")
    return isinstance(table.state.ask, CasualtyAsk)


def a_man_killed_in_phase_3(answers: Answers) -> object:
    table = armies({"rifle": 5}, {"rifle": 1, "tank": 1}, answers=answers).at(1, "first", 3)
    table.fire("rifle", "rifle", "5H", by="first")
    table.order(EndPhase())
    return why_not_order(table.state, table.shot("rifle", "rifle", by="second")) is None


def pin_draws_of_two_shots(answers: Answers) -> object:
    table = armies({"rifle": 9}, {"machinegun": 1}, answers=answers, options=Options(pinning=True))
    table.fire("machinegun", "rifle", "8H")
    table.order(Again())
    table.show("9H")
    table.show("AD")
    return isinstance(table.state.ask, DrawAsk)


def two_rafts_on_a_truck(answers: Answers) -> object:
    table = armies({"truck": 1, "assault_raft": 2}, {"rifle": 1}, answers=answers)
    load = Load(carrier="first/first/truck", riders={"first/first/assault_raft": 2})
    return why_not_order(table.state, load) is None


def an_sas_jeep_in_its_own_turn(answers: Answers) -> object:
    table = scenario(3, answers=answers)
    table.order(Reveal(row="german/hidden/rifle"))
    jeep = Fire(shooter="british/raiders/mg_jeep", target="german/hidden/rifle")
    refusal = why_not_order(table.state, jeep)
    return refusal.code if refusal else None


def a_french_tank_lost_to_itself(answers: Answers) -> object:
    table = scenario(2, answers=answers).at(1, "german", 2)
    shot = Fire(shooter="french/tanks/tank", target="german/vanguard/tank", insist=True)
    table.order(shot)
    table.show("QS", "2S")
    return victory_status(table.state)[0].text


def an_american_jeep_leaves(answers: Answers) -> object:
    nations = ("american", "german")
    table = armies({"jeep": 1, "rifle": 9}, {"rifle": 9}, answers=answers, nations=nations)
    table.order(Exit(row="first/first/jeep"))
    return table.state.loss


def both_armies_break_at_the_end_of_a_phase(answers: Answers) -> object:
    answers = {"P74": "end_of_phase", **answers}
    table = armies({"rifle": 9}, {"rifle": 10}, answers=answers)
    table.order(Correct(row="first/first/rifle", by=-9))
    table.order(Correct(row="second/second/rifle", by=-5))
    table.order(EndPhase())
    return table.state.outcome and table.state.outcome.winner


EXAMPLES: dict[str, Example] = {
    "P11": repeat_fire_away_from_contact,
    "P51": a_man_killed_in_phase_3,
    "P55": pin_draws_of_two_shots,
    "P64": two_rafts_on_a_truck,
    "P67": an_sas_jeep_in_its_own_turn,
    "P82": a_second_card_that_would_hit,
    "P83": a_french_tank_lost_to_itself,
    "P84": an_american_jeep_leaves,
    "P85": both_armies_break_at_the_end_of_a_phase,
    "P22": one_machinegun_at_two_men,
    "P68": an_airfield_without_a_clock,
    "P71": seats_in_the_craft,
    "P81": half_of_the_elefants_force,
    "P2": army("break_at", {"rifle": 80}),
    "P3": needs("cannon", "landing_craft"),
    "P6": needs("eighty_eight", "tiger"),
    "P7": needs("eighty_eight", "tank", rear=True),
    "P12": needs("sniper", "rifle", **CLOSE),
    "P17": verdict("cannon", "tank", 2, hull_down=True),
    "P18": verdict("rifle", "rifle", "AS", cover=True),
    "P19": a_tank_breaks_down,
    "P23": both_sides_fire,
    "P24": the_first_player_turn_ends,
    "P29": a_red_king_less_pin,
    "P32": the_way_out_of_the_basic_game,
    "P41": needs("armored_car", "rifle", **CLOSE),
    "P42": needs("machinegun", "rifle", "japanese", **CLOSE),
    "P43": needs("cannon", "aa_tank", rear=True),
    "P44": verdict("bazooka", "rifle", "3S", cover=True, **CLOSE),
    "P45": verdict("cannon", "small_pillbox", "3S", hull_down=True),
    "P46": army("spent", {"aa_tank": 1}, nation="german"),
    "P47": army("breaches", {"rifle": 70, "machinegun": 7}, quality="green"),
    "P48": legal("rifle", "rifle", phase=3),
    "P52": verdict("rifle", "rifle", "3S", cover=True, **CLOSE),
    "P53": verdict("engineer", "rifle", "QS"),
    "P58": scenario_one_breaks,
    "P61": army("spent", {"mg_jeep": 1}, nation="british"),
    "P62": needs("kv", "tank"),
    "P70": tobruk_has_a_tank,
    "P74": a_chain_past_the_break_point,
    "P78": the_last_card_is_the_queen,
    "P79": army("breaches", {"rifle": 60, "jeep": 6}, points=150),
    "P80": dog_beach_ends,
}


def test_every_live_ruling_has_its_example() -> None:
    live = {name for name, ruling in BOOK.rulings.items() if ruling.mode == "live"}
    assert EXAMPLES.keys() == live


@pytest.mark.parametrize("ruling", EXAMPLES)
def test_each_answer_to_a_live_ruling_ends_differently(ruling: str) -> None:
    answers = list(BOOK.rulings[ruling].answers)
    ends = [EXAMPLES[ruling]({ruling: answer}) for answer in answers]
    for index, end in enumerate(ends):
        assert end not in ends[:index], f"{ruling}: {answers[index]} changes nothing ({end})"


@pytest.mark.parametrize("ruling", EXAMPLES)
def test_what_nobody_chose_is_played_by_the_default(ruling: str) -> None:
    example = EXAMPLES[ruling]
    assert example({}) == example({ruling: BOOK.rulings[ruling].default})


def test_close_combat_is_contact_even_where_others_may_fire_in_its_phases() -> None:
    """P48 in_range, Nationalities (Japanese): A-8 in close combat, not at twelve inches."""
    far = aimed({"P48": "in_range"}, "rifle", "rifle", "japanese", distance=12, phase=3)
    assert far[1].needs == 5


def test_scenario_rulings_can_be_played_with_dice_too() -> None:
    table = scenario(4, sources=(DICE, CARDS), answers={"P70": "desert_tank"})
    table.at(1, "british")
    table.order(Fire(shooter="german/assault/rifle", target="british/garrison/rifle"))
    table.show(9)
    assert table.state.sources["german"].rolls == 1
