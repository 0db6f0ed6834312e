"""Who is placed in secret: riflemen (scenario 3), cannon (scenario 7); and sealed words."""

from __future__ import annotations

import pytest
from stage import Table, lost, of, scenario

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.events import Revealed
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Correct,
    EndPhase,
    Fire,
    Reveal,
    Seal,
    Unseal,
    Volley,
)
from skirmish.games.plastic.battle.reminders import reminders_now
from skirmish.games.plastic.battle.setup_choices import SetupChoices

HIDDEN = "german/hidden/rifle"
JEEPS = "british/raiders/mg_jeep"
CANNON = "russian/belts/cannon"


def belts(hidden: int) -> Table:
    """Scenario 7 with so many of the four cannon hidden."""
    return scenario(7, chosen=SetupChoices(hidden={0: hidden}))


def test_all_six_riflemen_hide_unless_players_say_otherwise() -> None:
    assert len(scenario(3).row("german", "rifle").hidden) == 6
    fewer = scenario(3, chosen=SetupChoices(hidden={0: 2}))
    assert len(fewer.state.hidden) == 2


@pytest.mark.parametrize(("number", "most"), [(3, 6), (7, 4)])
@pytest.mark.parametrize("more", [-1, 1])
def test_no_more_can_hide_than_there_are(number: int, most: int, more: int) -> None:
    count = most + 1 if more > 0 else -1
    with pytest.raises(ValueError, match=f"{most} can be hidden, not {count}."):
        scenario(number, chosen=SetupChoices(hidden={0: count}))


def test_no_cannon_is_hidden_unless_players_say_so() -> None:
    assert scenario(7).state.hidden == frozenset()
    assert len(belts(3).row("russian", "cannon").hidden) == 3


def test_the_hidden_are_no_target() -> None:
    table = scenario(3).at(1, "german")
    shot = Fire(shooter=JEEPS, target=HIDDEN)
    refusal = table.refusal(shot)
    says = "No Rifle Guy (Hidden riflemen) is in sight yet. R reveals those who are seen."
    assert (refusal.message, refusal.firm) == (says, True)


def test_who_fires_from_hiding_is_seen() -> None:
    """P69."""
    table = scenario(3)
    (shown,) = of(Revealed, table.order(Fire(shooter=HIDDEN, target=JEEPS)))
    assert shown.pieces == ("german:R1",)
    assert len(table.row("german", "rifle").hidden) == 5
    table.show("9H")
    assert "Germans: 1 Rifle Guy (Hidden riflemen) revealed." in lines(table.play)[-1].text


def test_each_who_fires_in_a_volley_from_hiding_is_seen() -> None:
    table = scenario(3)
    table.order(Volley(shooter=HIDDEN, target=JEEPS, count=3, reach=2))
    table.show("9H", "9D", "9C")
    assert len(table.row("german", "rifle").hidden) == 3


def test_those_in_sight_fire_before_those_in_hiding() -> None:
    """A shot must not give away a cannon while another could have fired it."""
    table = belts(2)
    shot = Fire(shooter=CANNON, target="german/spearhead/elefant")
    for _ in range(2):
        assert not of(Revealed, table.order(shot))
        table.show("9H" if not table.state.judged else "9D")
    assert len(table.state.hidden) == 2
    assert of(Revealed, table.order(shot))


def test_the_hidden_are_shown_by_their_player() -> None:
    table = belts(3)
    (shown,) = of(Revealed, table.order(Reveal(row=CANNON, count=2)))
    assert len(shown.pieces) == 2
    assert len(table.row("russian", "cannon").hidden) == 1
    assert lines(table.play)[-1].text == "Russians: 2 Cannons revealed."


@pytest.mark.parametrize(
    ("row", "count", "says"),
    [
        (CANNON, 4, "Only 3 Cannons hidden, not 4."),
        (CANNON, 0, "Only 3 Cannons hidden, not 0."),
        ("russian/belts/rifle", 1, "Only 0 Rifle Guys hidden, not 1."),
        ("russian/belts/jeep", 1, "There is no row called 'russian/belts/jeep'."),
    ],
)
def test_no_more_are_shown_than_hide(row: str, count: int, says: str) -> None:
    refusal = belts(3).refusal(Reveal(row=row, count=count))
    assert (refusal.message, refusal.firm) == (says, True)


def test_a_model_in_sight_is_hit_before_one_in_hiding() -> None:
    table = belts(3).at(1, "russian")
    table.fire("elefant", "cannon", "9H")
    (gone,) = table.state.lost
    assert gone == "russian:C4"
    assert len(table.state.hidden) == 3


def test_nobody_hidden_dies_in_anothers_place() -> None:
    """Scenario 3: the garrison is shot at, the hidden riflemen are offered to nobody."""
    table = scenario(3).at(1, "german")
    table.order(Fire(shooter=JEEPS, target="german/garrison/machinegun"))
    table.show("8H")
    ask = table.state.ask
    assert isinstance(ask, CasualtyAsk)
    assert HIDDEN not in ask.rows
    assert "german/garrison/rifle" in ask.rows


def test_one_shown_may_die_in_anothers_place() -> None:
    table = scenario(3).at(1, "german")
    table.order(Reveal(row=HIDDEN))
    table.order(Fire(shooter=JEEPS, target="german/garrison/machinegun"))
    table.show("8H")
    assert isinstance(table.state.ask, CasualtyAsk)
    assert HIDDEN in table.state.ask.rows


def test_the_reminder_is_given_while_anybody_hides() -> None:
    table = belts(1)
    assert reminders_now(table.state).startswith("A hidden cannon")
    table.order(Reveal(row=CANNON))
    assert reminders_now(table.state) == ""


def test_the_reminder_ends_with_the_last_who_hid() -> None:
    table = belts(1)
    table.order(Correct(row=CANNON, by=-4))
    assert reminders_now(table.state) == ""


def test_reminders_come_in_their_phase_and_turn() -> None:
    """Scenario 3: of the aircraft in the British move; scenario 10: of the hills in every move."""
    raid = scenario(3, chosen=SetupChoices(hidden={0: 0}))
    assert reminders_now(raid.state).startswith("A jeep that begins its move")
    raid.order(EndPhase())
    assert reminders_now(raid.state) == ""
    assert reminders_now(raid.at(1, "german").state) == ""
    beach = scenario(10)
    assert "hills" in reminders_now(beach.state)
    assert "hills" in reminders_now(beach.at(1, "german").state)


def test_hidden_or_not_they_count_in_losses() -> None:
    table = scenario(3).at(1, "german")
    events = table.order(Correct(row=HIDDEN, by=-2))
    assert lost(events) == ["rifle", "rifle"]
    assert table.alive("german", "rifle") == 12


def test_revealing_taken_back_hides_again() -> None:
    table = belts(2)
    table.order(Reveal(row=CANNON, count=2))
    table.undo()
    assert len(table.state.hidden) == 2


# ------------------------------------------------------------------ sealed words

WORDS = "Two in the hangar, four in the barracks"


def test_what_is_sealed_cannot_be_read_in_the_record() -> None:
    table = scenario(3)
    table.order(Seal(side="german", text=WORDS))
    entry = table.play.entries[-1]
    written = record.codec.written(entry)
    assert "hangar" not in f"{written}"
    assert record.codec.read(written) == entry
    assert lines(table.play)[-1].text == "The Germans seal a secret."


def test_what_was_sealed_can_be_opened_even_when_all_is_over() -> None:
    table = scenario(3)
    table.order(Seal(side="german", text=WORDS))
    table.order(Correct(row=JEEPS, by=-5))
    assert table.state.outcome is not None
    table.order(Unseal("german"))
    assert lines(table.play)[-1].text == f"The Germans reveal a secret: {WORDS}"
    assert table.refusal(Unseal("german")).message == "That side has sealed no secret."


def test_each_side_has_its_own_envelope() -> None:
    table = scenario(3)
    table.order(Seal(side="german", text="one"))
    table.order(Seal(side="british", text="two"))
    table.order(Unseal("german"))
    assert set(table.state.sealed) == {"british"}


@pytest.mark.parametrize(
    ("side", "text"), [("german", "  "), ("french", WORDS), ("german", "x" * 501)]
)
def test_nonsense_is_not_sealed(side: str, text: str) -> None:
    assert scenario(3).refusal(Seal(side=side, text=text)).firm
