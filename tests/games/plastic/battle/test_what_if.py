"""What if: each row is a shot that can be fired, with the chance that it then has."""

from __future__ import annotations

from fractions import Fraction

import pytest
from stage import Table, armies, scenario

from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.known_pack import pack_of
from skirmish.games.plastic.battle.orders import Again, EndPhase, Fire, SetClock, Volley
from skirmish.games.plastic.battle.orders.firing import prepared, same_again
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.what_if import ChangeKind, WhatIf, next_weapon, what_if, what_ifs
from skirmish.games.plastic.odds.pack import Pack, ShotOdds, draws_of, one_shot
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.rules.options import EVERYTHING, Options
from skirmish.games.plastic.rules.shot import judge, ranks_that_hit
from skirmish.games.plastic.what_if_table import what_if_table

MEN = {"rifle": 9}


def told(table: Table, order: Fire | Again) -> dict[ChangeKind, WhatIf]:
    return {row.kind: row for row in what_ifs(table.state, order)}


def kinds(table: Table, order: Fire | Again) -> list[ChangeKind]:
    return [other.kind for other in what_ifs(table.state, order)]


def odds(row: WhatIf, pack: Pack | None = None) -> ShotOdds:
    assert row.shot is not None
    return one_shot(row.shot.aim, pack or Pack())


def hit(row: WhatIf) -> Fraction:
    return odds(row).hit


@pytest.mark.parametrize("number", [1, 4, 8])
def test_every_row_is_told_with_the_chance_of_its_own_shot_summed_over_all_draws(
    number: int,
) -> None:
    table = scenario(number)
    seen = set()
    for phase in (1, 3):
        table.order(SetClock(turn=1, side=table.state.mover, phase=phase))
        state, side = table.state, table.state.firing_side
        pack = pack_of(state, side).pack
        for shooter in rows(state, side):
            for target in rows(state, state.setup.enemy_of(side).id):
                shot = Fire(shooter=shooter.key, target=target.key)
                volley = Volley(shooter=shooter.key, target=target.key, count=2)
                for order in (shot, volley):
                    shown = what_if_table(state, order, "full")
                    changes = what_ifs(state, order)
                    for row, cells in zip(changes, shown.rows if shown else (), strict=True):
                        seen.add(row.kind)
                        if row.against is not None:
                            assert cells[3] == "no"
                            continue
                        aim = prepared(state, row.order).aim
                        hits = [judge(aim, draw).hit for draw in draws_of(pack.possible)]
                        assert cells[3] == f"{nearest(Fraction(100 * sum(hits), len(hits)))}%"
                        assert cells[2] == ranks_that_hit(aim.needs)
    assert {"now", "cover", "close", "weapon", "shooter"} <= seen


def test_cover_halves_what_bullets_do_and_is_no_question_for_a_mortar() -> None:
    """Cover: black cards miss."""
    table = armies(MEN, {"machinegun": 1, "mortar": 1})
    rows_ = told(table, table.shot("machinegun", "rifle"))
    assert hit(rows_["now"]) == Fraction(32, 48)
    assert hit(rows_["cover"]) == Fraction(16, 48)
    assert "cover" not in kinds(table, table.shot("mortar", "rifle"))


def test_of_a_man_in_cover_the_row_says_the_open() -> None:
    table = armies(MEN, {"machinegun": 1})
    rows_ = told(table, table.shot("machinegun", "rifle", cover=True))
    other = rows_["cover"].order
    assert isinstance(other, Fire)
    assert not other.cover
    assert hit(rows_["cover"]) > hit(rows_["now"])


def test_closer_every_hit_kills_the_very_man_and_no_more_hit() -> None:
    """Removing Dead Guys: farther away only an ace does."""
    table = armies(MEN, {"machinegun": 1})
    rows_ = told(table, table.shot("machinegun", "rifle"))
    now, closer = odds(rows_["now"]), odds(rows_["close"])
    assert closer.hit == now.hit
    assert (now.exact_hits, closer.exact_hits) == (4, 32)


def test_closer_is_no_question_in_contact_or_of_a_sniper_who_names_his_man() -> None:
    table = armies(MEN, {"sniper": 1, "machinegun": 1}, options=EVERYTHING)
    assert "close" not in kinds(table, table.shot("sniper", "rifle"))
    table.at(1, "first", phase=4)
    assert "close" not in kinds(table, table.shot("machinegun", "rifle"))


@pytest.mark.parametrize("played", [True, False])
def test_hull_down_and_from_behind_matter_at_a_tank_where_they_are_played(played: bool) -> None:
    """Hull Down; Rear Armor."""
    options = Options(hull_down=played, rear_armor=played)
    table = armies({"tank": 1, "rifle": 5}, {"cannon": 1}, options=options)
    found = told(table, table.shot("cannon", "tank"))
    assert ({"hull_down", "rear"} <= set(found)) is played
    assert "cover" not in found
    if played:
        assert hit(found["hull_down"]) < hit(found["now"]) < hit(found["rear"])


# ------------------------------------------------------------------ another weapon


def test_the_next_weapon_is_that_after_the_one_in_hand_and_comes_round() -> None:
    table = armies(MEN, {"tank": 1})
    shot = table.shot("tank", "rifle")
    assert prepared(table.state, shot).shooting.weapon == "machinegun"
    assert next_weapon(table.state, shot) == "cannon"
    found = told(table, shot)["weapon"]
    assert found.order == table.shot("tank", "rifle", weapon="cannon")
    assert hit(found) == Fraction(24, 48)
    assert next_weapon(table.state, table.shot("tank", "rifle", weapon="cannon")) == "machinegun"


def test_two_weapons_alike_are_no_choice() -> None:
    table = armies(MEN, {"aa_tank": 1})
    assert next_weapon(table.state, table.shot("aa_tank", "rifle")) is None


def test_a_weapon_that_may_not_fire_says_why() -> None:
    """Firing: a machinegun hurts armor only in contact."""
    table = armies({"tank": 1, "rifle": 5}, {"tank": 1})
    against = told(table, table.shot("tank", "tank"))["weapon"].against
    assert against is not None
    assert against.code == "touch_only"
    table.fire("tank", "tank", "QH", weapon="cannon")
    again = told(table, table.shot("tank", "rifle"))["weapon"].against
    assert again is not None
    assert again.code == "already_fired"


# ------------------------------------------------------------------ another shooter


def test_the_next_shooter_is_the_next_row_that_may_fire_at_it_round_and_round() -> None:
    table = armies({"tank": 1, "rifle": 5}, {"rifle": 2, "bazooka": 1, "cannon": 1})
    state = table.state
    first = what_if(state, table.shot("bazooka", "tank"), "shooter")
    assert first is not None
    assert first.order == table.shot("cannon", "tank")
    back = what_if(state, first.order, "shooter")
    assert back is not None
    assert back.order == table.shot("bazooka", "tank")  # riflemen do nothing to a tank
    guys = armies(MEN, {"rifle": 1, "bazooka": 1, "mortar": 1, "cannon": 1})
    after = {
        unit: what_if(guys.state, guys.shot(unit, "rifle"), "shooter")
        for unit in ("rifle", "mortar", "cannon")
    }
    found = {
        unit: row.order.shooter.split("/")[2]
        for unit, row in after.items()
        if row and isinstance(row.order, Fire)
    }
    assert found == {"rifle": "bazooka", "mortar": "cannon", "cannon": "rifle"}


def test_who_has_fired_is_no_next_shooter_and_is_followed_by_one() -> None:
    """Sequence of Play: once in phases 1 and 2."""
    table = armies(MEN, {"bazooka": 1, "mortar": 1})
    assert what_if(table.state, table.shot("mortar", "rifle"), "shooter") is not None
    table.fire("bazooka", "rifle", "QH")
    assert what_if(table.state, table.shot("mortar", "rifle"), "shooter") is None
    spent = table.shot("bazooka", "rifle")
    found = told(table, spent)
    assert list(found) == ["now", "shooter"]  # cover would change nothing about that
    refused = found["now"].against
    assert refused is not None
    assert refused.code == "already_fired"


def test_of_a_volley_as_many_of_the_next_row_fire_as_can() -> None:
    table = armies(MEN, {"rifle": 8, "machinegun": 2})
    shot = table.shot("rifle", "rifle")
    volley = Volley(shooter=shot.shooter, target=shot.target, count=8, reach=4)
    found = what_if(table.state, volley, "shooter")
    assert found is not None
    assert isinstance(found.order, Volley)
    assert (found.order.count, found.order.reach) == (2, 4)


# ------------------------------------------------------------------ where there is none


def test_a_shot_without_sense_has_no_rows() -> None:
    table = armies(MEN, {"rifle": 2})
    own = Fire(shooter=table.row("second", "rifle").key, target=table.row("second", "rifle").key)
    assert what_ifs(table.state, own) == ()


def test_a_shot_that_nothing_changes_has_no_rows() -> None:
    table = armies({"landing_craft": 1, "rifle": 5}, {"cannon": 1})
    shot = table.shot("cannon", "landing_craft")
    free = armies({"landing_craft": 1, "rifle": 5}, {"cannon": 1}, options=Options(hull_down=False))
    assert "shooter" not in kinds(table, shot)
    assert what_ifs(free.state, free.shot("cannon", "landing_craft")) == ()


def test_a_repeat_shot_is_his_and_only_what_eyes_see_changes_it() -> None:
    table = armies(MEN, {"tank": 1, "rifle": 5})
    table.fire("tank", "rifle", "2H", weapon="machinegun")
    assert isinstance(table.state.ask, RepeatAsk)
    again = same_again(table.state)
    assert again is not None
    assert kinds(table, again) == ["now", "cover", "close"]


def test_chances_are_out_of_the_pack_that_is_given() -> None:
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "QH")
    shot = table.shot("machinegun", "rifle")
    for knowledge, chance in (("full", Fraction(32, 47)), ("hidden", Fraction(32, 48))):
        shown = what_if_table(table.state, shot, knowledge)  # type: ignore[arg-type]
        assert shown is not None
        assert shown.rows[0][3] == f"{nearest(100 * chance)}%"


def test_in_the_other_sides_phase_there_is_nothing_to_choose() -> None:
    table = armies(MEN, {"machinegun": 2, "rifle": 3})
    shot = table.shot("machinegun", "rifle")
    table.order(EndPhase())
    table.order(EndPhase())
    assert what_ifs(table.state, shot) == ()
