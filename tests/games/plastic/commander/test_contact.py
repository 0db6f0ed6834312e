"""What a charge is worth, by the design's arithmetic."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.contact import Contact
from skirmish.games.plastic.commander.danger import Danger
from skirmish.games.plastic.commander.fire import FireTable
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.tabletop.battlefield import Battlefield

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
WEIGHTS = library.commander_weights()
KILLS = KillTable(CATALOG, RULINGS)
FIRE = FireTable(
    CATALOG, RULINGS, Sight(TableGround(Battlefield(), CellGrid(96, 60)), WEIGHTS.sight), KILLS
)
CONTACT = Contact(
    CATALOG,
    KILLS,
    FIRE,
    Danger(FIRE, choosing_exponent=WEIGHTS.fire.choosing),
    weight_of_later_kill=0.8,
)


def stand(name: str, counts: dict[str, int], column: int, *, cover: bool = False) -> Stand:
    return Stand(GroupKnown(name, name, counts), GroundCell(column, 5), cover)


def test_six_men_who_charge_a_tank_often_reach_it() -> None:
    """ "k men touching kill 1 - (2/3)^k": six 91 % of a tank, less those who fall on the way."""
    own = stand("men", {"rifle": 6}, 2)
    parked = Situation((own,), (stand("target", {"aircraft": 1}, 3),))
    lone = CONTACT.outcome(parked, ["men"], parked.enemies[0])
    assert lone.danger == 0
    at_tank = Situation((own,), (stand("tank", {"tank": 1}, 3),))
    charge = CONTACT.outcome(at_tank, ["men"], at_tank.enemies[0])
    assert charge.chance is not None
    assert 0.4 < charge.chance < 1 - (2 / 3) ** 6


def test_two_groups_at_once_do_better_than_one_after_the_other() -> None:
    """Waves, not trickles: the gun fires once however many come."""
    gun = stand("gun", {"machinegun": 2, "rifle": 2}, 3, cover=True)
    own = (stand("first", {"rifle": 6}, 2), stand("second", {"rifle": 6}, 2))
    situation = Situation(own, (gun,))
    alone = CONTACT.outcome(situation, ["first"], gun)
    both = CONTACT.outcome(situation, ["first", "second"], gun)
    assert both.kill > alone.kill
    assert both.danger < 2 * alone.danger


def test_one_against_one_in_cover_is_no_bargain() -> None:
    """ "no contact below 2:1" """
    own = stand("men", {"rifle": 6}, 2)
    equal = Situation((own,), (stand("enemy", {"rifle": 6}, 3, cover=True),))
    weak = Situation((own,), (stand("enemy", {"rifle": 3}, 3, cover=True),))
    against_equal = CONTACT.outcome(equal, ["men"], equal.enemies[0])
    against_weak = CONTACT.outcome(weak, ["men"], weak.enemies[0])
    worth_equal = against_equal.kill - against_equal.danger
    assert against_weak.kill - against_weak.danger > worth_equal


def test_guns_in_contact_are_silent_for_the_others() -> None:
    """The same gun is worth more to charge while it can fire at somebody else."""
    own, others = stand("men", {"rifle": 6}, 2), stand("others", {"rifle": 10}, 0)
    gun = stand("gun", {"mortar": 1, "rifle": 3}, 3)
    quiet = CONTACT.outcome(Situation((own,), (gun,)), ["men"], gun)
    busy = CONTACT.outcome(Situation((own, others), (gun,)), ["men"], gun)
    assert busy.kill >= quiet.kill
    assert busy.danger < quiet.danger


def test_who_charges_leaves_the_mark_on_which_he_stood() -> None:
    """A mortar reaches the mark, but not whom they charge, 37 inches from it."""
    own, far = stand("men", {"rifle": 6}, 6), stand("mortar", {"mortar": 1}, 0)
    gun = stand("gun", {"mortar": 1}, 7)
    situation = Situation((own,), (gun, far))
    on_mark = Situation((own._replace(spot=(35.0, 33.0)),), (gun, far))
    charge = CONTACT.outcome(situation, ["men"], gun)
    assert CONTACT.outcome(on_mark, ["men"], gun) == charge


def test_only_men_on_foot_charge() -> None:
    assert CONTACT.can_charge(stand("men", {"rifle": 1}, 1))
    assert not CONTACT.can_charge(stand("tank", {"tank": 1}, 1))


def test_nobody_kills_more_than_stand_there() -> None:
    gun = stand("gun", {"machinegun": 1}, 3)
    own = stand("men", {"rifle": 12, "grenade": 12}, 2)
    outcome = CONTACT.outcome(Situation((own,), (gun,)), ["men"], gun)
    silent = 5 + 0.8 * 12
    assert outcome.kill < silent
    assert outcome.chance is None


def test_more_men_lose_no_more_of_the_fight_itself() -> None:
    enemy = stand("enemy", {"engineer": 4}, 3)
    few = Situation((stand("men", {"rifle": 4}, 2),), (enemy,))
    many = Situation((stand("men", {"rifle": 12}, 2),), (enemy,))
    assert CONTACT.outcome(many, ["men"], enemy).kill > CONTACT.outcome(few, ["men"], enemy).kill
