"""Darkness and charges, as happenings of a scenario: nobody fires farther than he sees, and a mined
bridge goes up unless the enemy cuts the charges."""

from __future__ import annotations

from typing import Any

import pytest
from fights import GAME
from msgspec.structs import replace
from stage import CARDS, DICE, Table, of

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import ChargesCut, ChargesDrawn
from skirmish.games.plastic.battle.headquarters.table import table_of
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import CutCharges, EndTurn, SetLevel
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.due import due
from skirmish.games.plastic.scenarios.happenings import Charges, Darkness, Happening
from skirmish.games.plastic.shot_words import reach_words
from skirmish.tabletop.chance import Source

NIGHT = Darkness(sight_in=2, before_turn=3, text="Nobody sees farther than 2 in before turn 3.")
MINED = Charges(
    id="bridge",
    side="german",
    what="the bridge",
    from_turn=2,
    needs=3,
    cut_by=("rifle",),
    text="The bridge is mined.",
)


def with_happenings(*happenings: Happening, sources: Any = (CARDS, CARDS)) -> Table:
    """Scenario 1 with these happenings: the Germans move first."""
    ours = replace(library.scenarios()[1], happenings=happenings)
    chosen = SetupChoices(loads=False)
    by_side = dict(zip(ours.order_of_play(), sources, strict=True))
    return Table(
        from_scenario(ours, library.catalog(), library.rulings(), sources=by_side, chosen=chosen)
    )


def words(table: Table) -> str:
    """What the screen says is due."""
    paragraphs = due(table.play)
    return " ".join(f"{paragraph.lead} {paragraph.text}" for paragraph in paragraphs)


# ------------------------------------------------------------------ darkness


def test_a_shot_from_farther_than_anybody_sees_is_advised_against_until_it_is_light() -> None:
    table = with_happenings(NIGHT).at(1, "german", phase=2)
    shot = table.shot("rifle", "rifle")
    refusal = table.refusal(shot)
    assert refusal.code == "dark"
    assert not refusal.firm
    assert "nobody sees beyond 2" in refusal.message
    table.order(replace(shot, insist=True))
    light = with_happenings(NIGHT).at(3, "german", phase=2)
    light.fire("rifle", "rifle", "QH")


def test_in_contact_nobody_has_to_see_far() -> None:
    table = with_happenings(NIGHT).at(1, "german", phase=3)
    table.fire("rifle", "rifle", "QH")


def test_the_screen_says_how_far_one_sees() -> None:
    table = with_happenings(replace(NIGHT, sight_in=12)).at(1, "german", phase=2)
    assert "DARK: nobody sees beyond 12" in words(table)
    assert "before turn 3" in words(table)
    shooter = table.row(table.state.firing_side, "rifle").key
    assert reach_words(table.state, shooter).endswith("Nobody sees beyond 12\u00a0in now.")
    table.at(3, "german", phase=2)
    assert "DARK" not in words(table)
    assert "Nobody sees" not in reach_words(table.state, shooter)


def test_darkness_and_dust_together_leave_the_shorter_sight() -> None:
    ours = replace(library.scenarios()[8], happenings=(*library.scenarios()[8].happenings, NIGHT))
    table = Table(
        from_scenario(
            ours,
            library.catalog(),
            library.rulings(),
            sources=dict.fromkeys(ours.order_of_play(), CARDS),
        )
    )
    table.fire("cannon", "tank", "JS", insist=True)
    assert "dust" in table.state.toggled
    assert table.state.sight_in == 2
    table.at(3, "german")
    assert table.state.sight_in == 12


def test_the_commander_thinks_of_nobody_whom_it_is_too_dark_to_see() -> None:
    table = with_happenings(replace(NIGHT, sight_in=12))
    dark = table_of(table.state, library.commander_weights())
    table.at(3, "german")
    light = table_of(table.state, library.commander_weights())
    assert dark is not light
    assert (dark.sight_in, light.sight_in) == (12, None)


# ------------------------------------------------------------------ charges


@pytest.mark.parametrize(("drawn", "blown"), [("AH", True), ("3S", True), ("4S", False)])
def test_up_to_their_rank_the_charges_go_off(drawn: str, blown: bool) -> None:
    table = with_happenings(MINED).at(1, "german")
    table.order(EndTurn())
    table.order(EndTurn())
    assert table.state.ask == DrawAsk(side="german", die=False, why="charges")
    (result,) = of(ChargesDrawn, table.show(drawn))
    assert result.blown is blown
    assert ("bridge" in table.state.blown) is blown
    assert ("GONE: The bridge is blown up." in words(table)) is blown
    table.order(EndTurn())
    table.order(EndTurn())
    # Drawn for again, unless they are gone.
    assert (table.state.ask is None) is blown


def test_nothing_is_drawn_before_the_turn_of_the_charges_nor_in_turns_of_the_enemy() -> None:
    later = replace(MINED, from_turn=3)
    table = with_happenings(later).at(2, "german")
    assert table.state.ask is None
    assert table.at(2, "polish").state.ask is None
    table.order(EndTurn())
    assert table.state.ask == DrawAsk(side="german", die=False, why="charges")


def test_with_a_die_it_is_a_roll() -> None:
    table = with_happenings(MINED, sources=(DICE, DICE)).at(2, "german")
    assert table.state.ask == DrawAsk(side="german", die=True, why="charges")
    table.show(2)
    assert table.state.blown == {"bridge"}


def test_who_cuts_the_charges_ends_the_draws() -> None:
    table = with_happenings(MINED).at(1, "polish")
    (cut,) = of(ChargesCut, table.order(CutCharges(side="polish", charges="bridge")))
    assert lines(table.play)[-1].text.endswith("Cut: the bridge stays.")
    assert cut.side == "polish"
    table.at(2, "german")
    assert table.state.ask is None
    again = table.refusal(CutCharges(side="polish", charges="bridge"))
    assert again.code == "no_charges"
    # Undone, they are there again.
    table.undo()
    table.undo()
    assert not table.state.cut


def test_charges_are_cut_at_the_start_of_a_turn_of_those_who_cut_them() -> None:
    order = CutCharges(side="polish", charges="bridge")
    table = with_happenings(MINED).at(1, "german")
    assert table.refusal(order).code == "not_now"
    table.order(replace(order, insist=True))
    assert table.state.cut == {"bridge"}


def test_the_command_to_cut_them_is_called_by_what_it_does_and_not_by_its_keys() -> None:
    table = with_happenings(MINED).at(1, "polish")
    labels = [command.label for command in GAME.commands(table.state) if command.verb == "serve"]
    assert labels == ["Cut charges"]


def test_the_key_strip_shows_the_command_to_cut_them_only_while_units_move() -> None:
    table = with_happenings(MINED)
    words = []
    for phase in (1, 2):
        state = table.at(1, "polish", phase=phase).state
        words += [command.word for command in GAME.commands(state) if command.verb == "serve"]
    assert words == ["cut charges", ""]


def test_who_laid_them_does_not_cut_them() -> None:
    table = with_happenings(MINED).at(1, "german")
    assert table.refusal(CutCharges(side="german", charges="bridge")).code == "no_charges"


def test_only_the_named_units_cut_them() -> None:
    table = with_happenings(replace(MINED, cut_by=("engineer",)))
    refusal = table.refusal(CutCharges(side="polish", charges="bridge"))
    assert refusal.code == "no_cutters"
    assert "Engineer Guy" in refusal.message


def test_who_keeps_only_a_ledger_draws_at_the_table() -> None:
    table = with_happenings(MINED)
    table.order(SetLevel(side="german", level="ledger", source=Source("deck")))
    table.at(2, "german")
    assert table.state.ask is None
    assert "The bridge is mined." in words(table)


def test_a_battle_with_charges_opens_again_as_it_stood() -> None:
    table = with_happenings(MINED).at(2, "german")
    table.show("4S")
    table.order(EndTurn())
    table.order(CutCharges(side="polish", charges="bridge"))
    records = [record.codec.written(entry) for entry in table.play.entries]
    assert record.codec.replay(records).state == table.state
