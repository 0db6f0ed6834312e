"""Who may see what: the hidden and the sealed are nowhere in what others are given."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest
from deep import deep_after
from stage import Table, play_on, scenario

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Add,
    Correct,
    Finish,
    Fire,
    Reveal,
    Seal,
    SetLevel,
    Volley,
)
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.games.plastic.battle.view import secret_to, seen, seen_status, view
from skirmish.games.plastic.battle.voiding import why_not_void
from skirmish.games.plastic.side_messages import draft_words, waiting_words
from skirmish.tabletop.chance import Source

SECRET = "Zwei Mann im Hangar"
SEED = 8_675_309
DECKS = (Source("deck", seed=SEED), Source("deck", seed=SEED))
HIDDEN = "german/hidden/rifle"
JEEPS = "british/raiders/mg_jeep"
CANNON = "russian/belts/cannon"


def raid(**chosen: object) -> Table:
    return scenario(3, sources=DECKS, chosen=SetupChoices(loads=False, **chosen))  # type: ignore[arg-type]


def belts(hidden: int) -> Table:
    return scenario(7, sources=DECKS, chosen=SetupChoices(loads=False, hidden={0: hidden}))


def told(table: Table, side: str | None) -> list[str]:
    return [line.text for line in lines(seen(table.play, side)) if line.text]


def everything_in(value: object) -> str:
    return msgspec.json.encode(value).decode()


# ------------------------------------------------------------------ in any battle

SEEDS = deep_after(2, range(6))


def opened(number: int) -> Table:
    table = raid() if number == 3 else belts(3)
    for side in table.state.setup.sides:
        table.order(Seal(side=side.id, text=SECRET))
    return table


def played(number: int, seed: int) -> Table:
    """On and off: lines void, steps back, everything that a table comes up with."""
    table, random = opened(number), Random(seed)
    for _ in range(5):
        play_on(table, random, 12)
        able = [line for line in lines(table.play) if why_not_void(table.play, line) is None]
        if able and random.random() < 0.6:
            table.play.accept(table.play.possible("void", *random.choice(able).entry_numbers))
        elif random.random() < 0.5:
            table.undo()
    return table


@pytest.mark.parametrize("number", [3, 7])
@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_hidden_and_nothing_sealed_is_in_what_others_see(number: int, seed: int) -> None:
    table = played(number, seed)
    play, state = table.play, table.state
    assert any(secret_to(None, one) for one in play.states), "somebody hides, or this shows nothing"
    envelopes = [one for state in play.states for one in state.sealed.values()]
    for side in (None, *state.setup.side_by_id):
        through = seen(play, side)
        for real, one in zip(play.states, through.states, strict=True):
            secret = secret_to(side, real)
            named = everything_in(one)
            for piece in secret:
                assert not re.search(rf"{piece}\b", named)
            found = [row for known in one.setup.sides for row in rows(one, known.id)]
            ids = {piece.id for piece in real.pieces()} - secret
            assert sum(row.total for row in found) == len(ids)
            assert not secret_to(side, one)
        for real_side in state.setup.sides:
            worth = side_strength(play.state, real_side.id)
            hidden = {p for p in secret_to(side, state) if p.startswith(f"{real_side.id}:")}
            less = side_strength(through.state, real_side.id)
            assert (less < worth) == bool(hidden)
        journal = everything_in([record.codec.written(entry) for entry in through.entries])
        assert str(SEED) not in journal
        assert str(SEED) not in everything_in(through.state)
        now = secret_to(side, state)
        for text in (journal, " ".join(line.text for line in lines(through))):
            for piece in now:
                assert not re.search(rf"{piece}\b", text)
        if not any("reveal a secret" in line.text for line in lines(through)):
            assert SECRET not in journal
            assert not any(envelope in journal for envelope in envelopes)


@pytest.mark.parametrize("number", [3, 7])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_line_is_the_players_own_or_less(number: int, seed: int) -> None:
    """Numbers, struck lines and draws are the same; lines without the hidden word for word."""
    table = played(number, seed)
    known = {line.number: line for line in lines(table.play)}
    hidden = set(table.state.setup.hidden)
    for line in lines(seen(table.play, None)):
        real = known.pop(line.number)
        assert line.void == real.void
        if not any(piece in everything_in(real.entries) for piece in hidden):
            names_rows = any(row in everything_in(real.entries) for row in (HIDDEN, CANNON))
            same = uncoded(line.text) == uncoded(real.text)
            assert same or names_rows or "Against the rules" in real.text
    assert not known
    owner = next(iter(hidden)).partition(":")[0]
    assert [line.text for line in lines(seen(table.play, owner))] == [
        line.text for line in lines(table.play)
    ]


def uncoded(says: str) -> str:
    """Without the numbers of pieces, which others read only as far as they give nobody away."""
    who = re.sub(r"\b\S+ (has lost a weapon|fights on as)", r"\1", says)
    return re.sub(r" ?\b[A-Z]\d+\b", "", who)


# ------------------------------------------------------------------ case by case


def test_the_hidden_are_neither_counted_nor_part_of_a_strength() -> None:
    state = raid().state
    blind = view(state, "british")
    assert not any(row.key == HIDDEN for row in rows(blind, "german"))
    assert side_strength(blind, "german") == side_strength(state, "german") - 6
    assert view(state, None).setup.pieces == blind.setup.pieces


def test_their_own_side_sees_them() -> None:
    own = view(raid().state, "german")
    assert len(next(row for row in rows(own, "german") if row.key == HIDDEN).hidden) == 6


def test_those_in_sight_are_there_with_the_letter_that_players_use() -> None:
    state = belts(3).state
    (there,) = [row for row in rows(view(state, None), "russian") if row.unit.id == "cannon"]
    (real,) = [row for row in rows(state, "russian") if row.unit.id == "cannon"]
    assert (there.total, there.letter) == (1, real.letter)


@pytest.mark.parametrize("number", library.published_scenarios())
def test_the_letters_of_rows_in_sight_are_those_of_a_battle_without_the_hidden(number: int) -> None:
    """A letter that is left out would tell that somebody hides."""
    state = scenario(number, chosen=SetupChoices(loads=False)).state
    blind = view(state, None)
    without = Setup.letters.func(blind.setup)
    for side in state.setup.side_by_id:
        for row in rows(blind, side):
            assert row.letter == without[row.key], row.key


def test_who_hides_keeps_his_letter_on_all_pages() -> None:
    table = raid()
    for eyes in (view(table.state, "german"), table.state):
        letters = {row.key: row.letter for row in rows(eyes, "german")}
        assert letters["german/garrison/rifle"] == "r"
        assert letters[HIDDEN] not in ("r", "")
    hidden = {row.key: row.letter for row in rows(table.state, "german")}[HIDDEN]
    table.order(Reveal(row=HIDDEN, count=6))
    for eyes in (view(table.state, "british"), table.state):
        assert {row.key: row.letter for row in rows(eyes, "german")}[HIDDEN] == hidden


def test_who_fires_from_hiding_is_named_to_who_waits() -> None:
    """He is seen to fire; of the others who hide nothing is told."""
    table = scenario(3, chosen=SetupChoices(loads=False))
    table.order(Fire(shooter=HIDDEN, target=JEEPS))
    assert isinstance(table.state.ask, DrawAsk)
    text = waiting_words(table.state, "british")
    assert text == "A German Rifle Guy fires at your MG Jeep: needs A-2. The Germans draw."


@pytest.mark.parametrize(
    ("viewer", "target"),
    [
        ("german", "your Rifle Guys (Garrison)"),
        ("british", "German Rifle Guys"),
        (None, "German Rifle Guys"),
    ],
)
def test_no_contingent_tells_that_another_hides(viewer: str | None, target: str) -> None:
    state = raid().at(1, "german").state
    shot = Fire(shooter=JEEPS, target="german/garrison/rifle")
    assert f"MG Jeep fires at {target}: " in draft_words(state, shot, viewer)


def test_a_volley_of_ones_own_is_told_as_such() -> None:
    """It may be put together by somebody else at the table."""
    volley = Volley(shooter="german/garrison/rifle", target=JEEPS, count=3)
    text = draft_words(raid().state, volley, "german")
    assert text == "3 of your Rifle Guys fire at a British MG Jeep: needs A-2."


def test_who_is_shown_is_there_from_then_on() -> None:
    table = belts(3)
    table.order(Reveal(row=CANNON, count=2))
    (row,) = [row for row in rows(view(table.state, None), "russian") if row.unit.id == "cannon"]
    assert row.total == 3
    assert told(table, None)[-1] == "Russians: 2 Cannons revealed."


def test_who_joins_the_hidden_in_sight_is_there() -> None:
    table = raid()
    table.order(Add(row=HIDDEN))
    (row,) = [row for row in rows(view(table.state, None), "german") if row.key == HIDDEN]
    assert (row.total, row.hidden) == (1, ())


def test_shown_and_taken_back_is_hidden_again() -> None:
    table = belts(3)
    table.order(Reveal(row=CANNON))
    table.undo()
    assert view(table.state, None).setup == view(belts(3).state, None).setup
    assert "Shown" not in " ".join(told(table, None))


def test_who_fires_from_hiding_is_seen_to_fire() -> None:
    table = raid()
    table.order(Fire(shooter=HIDDEN, target=JEEPS))
    assert told(table, "british")[-1] == told(table, "german")[-1] == lines(table.play)[-1].text


@pytest.mark.parametrize("other", [None, "british"])
def test_no_number_tells_how_many_are_hidden(other: str | None) -> None:
    """Six riflemen hide, so the first of the garrison is the seventh; in sight he is one of many.
    Once all are shown everybody reads it."""
    table = raid()
    table.order(Fire(shooter="german/garrison/rifle", target=JEEPS))
    own = told(table, "german")[-1]
    assert own.startswith("Rifle R7 > MG Jeep")
    assert told(table, other)[-1] == own.replace(" R7", "")
    table.order(Reveal(row=HIDDEN, count=6))
    assert own in told(table, other)


def test_what_a_hidden_man_did_in_a_void_line_is_told_without_him() -> None:
    table = raid()
    table.order(Fire(shooter=HIDDEN, target=JEEPS))
    line = lines(table.play)[-1]
    table.play.accept(table.play.possible("void", *line.entry_numbers))
    (again,) = [one for one in lines(seen(table.play, None)) if one.number == line.number]
    assert again.void
    assert "Rifle" not in again.text
    assert view(table.state, None).verdict is None


def test_the_hidden_dead_are_told_to_nobody_else() -> None:
    table = raid()
    table.order(Correct(row=HIDDEN, by=-2))
    assert view(table.state, "british").loss["german"] == 0
    assert table.state.loss["german"] == 2
    assert told(table, "british") == told(raid(), "british")
    assert told(table, "german")[-1] == "Germans: Rifle (Hidden riflemen) -2."


def test_a_shot_at_the_hidden_is_not_told() -> None:
    """Battles of before have such shots; today they are refused."""
    table = raid().at(1, "german")
    before = told(table, None)
    table.order_of_before(Fire(shooter=JEEPS, target=HIDDEN))
    assert lines(table.play)[-1].text.startswith("MG Jeep")
    assert told(table, None) == before
    assert view(table.state, None).verdict is None


def test_overruled_advice_does_not_tell_who_hides() -> None:
    table = belts(3)
    elefant = "german/spearhead/elefant"
    table.order(Fire(shooter=elefant, target=CANNON, insist=True))
    assert told(table, None)[-1].endswith("[Against the rules: advice was set aside.]")


def test_what_is_sealed_is_only_known_to_be_sealed() -> None:
    table = raid()
    table.order(Seal(side="german", text=SECRET))
    for side in (None, "british", "german"):
        assert view(table.state, side).sealed == {"german": ""}
        assert told(table, side)[-1] == "The Germans seal a secret."
        assert SECRET not in everything_in(seen(table.play, side).entries)


def test_no_deck_tells_what_comes_next() -> None:
    table = raid()
    table.order(SetLevel(side="german", level="referee", source=Source("deck", seed=SEED + 1)))
    through = seen(table.play, "german")
    assert str(SEED + 1) not in everything_in(
        [record.codec.written(one) for one in through.entries]
    )
    assert not any(source.typed for source in through.state.sources.values())


def test_a_side_with_hidden_men_is_not_said_to_have_lost() -> None:
    """Nobody else sees whether anybody is left; the program does."""
    state = scenario(2).state
    assert seen_status(state, None) == victory_status(view(state, None)) == victory_status(state)
    for table in (raid(), belts(4)):
        can = [one.can_win for one in victory_status(table.state)]
        assert [one.can_win for one in seen_status(table.state, None)] == can


def test_why_it_ended_does_not_count_the_hidden() -> None:
    table = scenario(7, chosen=SetupChoices(loads=False, hidden={0: 3}, rulings={"P58": "on"}))
    table.order(Correct(row="russian/belts/rifle", by=-table.alive("russian", "rifle")))
    while table.state.outcome is None:
        row = next(r for r in rows(table.state, "russian") if r.on_foot)
        table.order(Correct(row=row.key, by=-1))
    assert re.search(r"broke: \d+ of \d+ lost", table.state.outcome.reason)
    outcome = view(table.state, None).outcome
    assert outcome is not None
    assert not re.search(r"\d", outcome.reason)
    assert not re.search(r"broke: \d", " ".join(told(table, None)))


def test_why_it_ended_in_the_players_words_stands() -> None:
    table = raid()
    table.order(Finish(winner="british", reason="Tea: at 5."))
    outcome = view(table.state, None).outcome
    assert outcome is not None
    assert outcome.reason == "Tea: at 5."


def test_where_nothing_is_hidden_everybody_sees_everything() -> None:
    table = scenario(1, sources=DECKS)
    play_on(table, Random(3), 40)
    through = seen(table.play, None)
    assert [one.text for one in lines(through)] == [one.text for one in lines(table.play)]
    for side in table.state.setup.side_by_id:
        assert rows(through.state, side) == rows(table.state, side)
