"""A battle before it begins, on its screen: what may be typed, what is asked, the basic game."""

from __future__ import annotations

import pytest
from set_up_lines import asked, begun, choose, form_of, line, lines
from steps import NARROW, WIDE, eventually, press, shown, state, the_app, until, wait_for
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from skirmish import library
from skirmish.app.asking import TextEntry, YesOrNo
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.battle.lines import lines as journal
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.games.plastic.rules.options import EVERYTHING, FIRST_GAME, Options
from skirmish.store.database import Store

PROPOSED = "8 rifle, 2 machinegun"


# ------------------------------------------------------------------ on the screen


async def to_scenario(pilot: Pilot[None], number: int) -> GameSetup:
    """From home to the options of a scenario."""
    await until(pilot, HomeScreen)
    await press(pilot, "n")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")
    await press(pilot, *["down"] * (number - 1), "enter")
    await until(pilot, GameSetup)
    listed = pilot.app.screen.query_one("#lines", OptionList)
    await eventually(pilot, lambda: listed.option_count)
    screen = pilot.app.screen
    assert isinstance(screen, GameSetup)
    return screen


async def on_line(pilot: Pilot[None], name: str, *keys: str) -> None:
    """Put the cursor on a line and press keys there."""
    listed = pilot.app.screen.query_one("#lines", OptionList)
    listed.highlighted = listed.get_option_index(name)
    await pilot.pause()
    await press(pilot, *keys)


def visible(screen: GameSetup, name: str) -> bool:
    return any(o.id == name for o in screen.query_one("#lines", OptionList).options)


async def write(pilot: Pilot[None], name: str, text: str) -> None:
    """Open a line for writing, replace what stands there, Enter."""
    await on_line(pilot, name, "enter")
    await until(pilot, TextEntry)
    pilot.app.screen.query_one(Input).value = text
    await press(pilot, "enter")


async def test_presets_set_the_switches_and_switches_make_a_choice_of_ones_own(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 1)
        preset = line(screen, "preset")
        assert begun(screen).options == Options()
        await on_line(pilot, "preset", "right")
        assert begun(screen).options == EVERYTHING
        await press(pilot, "right")  # own choice comes about by switches only
        assert preset.value == "first_game"
        assert begun(screen).options == FIRST_GAME
        assert not visible(screen, "option:pinning")
        await on_line(pilot, "switches", "enter")
        assert visible(screen, "option:pinning")
        await on_line(pilot, "option:pinning", "enter")
        assert preset.value == "own"
        assert begun(screen).options.pinning
        await on_line(pilot, "option:pinning", "enter")
        assert preset.value == "first_game"


async def test_what_the_lines_say_holds_in_the_battle(where: str) -> None:
    """By keys: another option, nobody rides, a die of the program, a ruling answered otherwise."""
    ruling = library.rulings().rulings["P41"]
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_scenario(pilot, 1)
        await press(pilot, "right", "l", "down", "down", "right")
        await press(pilot, "down", "down", "down", "down", "left")
        await on_line(pilot, "rulings", "enter")
        await on_line(pilot, "P41")
        assert shown(pilot, "meaning") == f"{ruling.question} {ruling.answers['as_rifle']}"
        await press(pilot, "enter")
        assert shown(pilot, "meaning") == f"{ruling.question} {ruling.answers['keeps_a8']}"
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        now = state(pilot)
        assert "german:C1" in now.setup.piece_by_id
        assert now.aboard == {}
        assert (now.sources["german"].kind, now.sources["german"].seed) == ("die", 7)
        assert now.levels["polish"] == "ledger"
        assert now.setup.rulings["P41"] == "keeps_a8"


async def test_a_bad_answer_is_told_and_nothing_written_is_lost(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 3)
        garrison = line(screen, "ask:garrison")
        for wrong, told in (
            ("rifle", "A number goes before 'rifle'"),
            ("8 rfile", "did you mean rifle?"),
            ("8 [/b]", "There is no unit '[/b]'"),
            ("100 rifle", "0 to 99 of each, not 100."),
        ):
            await write(pilot, "ask:garrison", wrong)
            assert isinstance(pilot.app.screen, TextEntry)
            assert told in shown(pilot, "entry-wrong")
            assert pilot.app.screen.query_one(Input).value == wrong
            await press(pilot, "escape")
            await until(pilot, GameSetup)
            assert garrison.says == PROPOSED
        await write(pilot, "ask:aircraft", "5")
        assert "from 6 to 99" in shown(pilot, "entry-wrong")
        pilot.app.screen.query_one(Input).value = "6"
        await press(pilot, "enter")
        await until(pilot, GameSetup)
        await press(pilot, "left", "right", "right")  # 5 is no answer, so it stays at 6
        assert line(screen, "ask:aircraft").value == 8


async def test_a_sealed_note_is_in_the_battle_and_on_no_screen(where: str) -> None:
    words = "Behind the mill [/b]"
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 3)
        await write(pilot, "seal:german", words)
        await until(pilot, GameSetup)
        secret = line(screen, "seal:german")
        assert secret.value == words
        assert words not in secret.says + secret.told
        await press(pilot, "enter")
        await until(pilot, TextEntry)
        assert pilot.app.screen.query_one(Input).value == ""
        assert pilot.app.screen.query_one(Input).password
        await press(pilot, "escape")
        await until(pilot, GameSetup)
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        assert set(state(pilot).sealed) == {"german"}
        kept = pilot.app.screen.session
        assert not any("mill" in one.text for one in journal(kept.play))


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_no_line_is_wider_than_the_screen(where: str, size: tuple[int, int]) -> None:
    """Everything unfolded: each line stays one line, and its arrows are both there."""
    async with the_app(where).run_test(size=size) as pilot:
        screen = await to_scenario(pilot, 10)
        for fold in ("switches", "rulings"):
            await on_line(pilot, fold, "enter")
        listed = screen.query_one("#lines", OptionList)
        painted = [o.prompt for o in listed.options if o.id and o.id.startswith("P")]
        assert len(painted) > 15
        for prompt in painted:
            assert prompt.cell_length <= size[0] - 6  # type: ignore[union-attr]
            assert str(prompt).count("‹") == str(prompt).count("›") == 1


async def test_who_draws_is_read_whole_beside_the_map(where: str) -> None:
    for size in (NARROW, WIDE):
        async with the_app(where).run_test(size=size) as pilot:
            screen = await to_scenario(pilot, 1)
            listed = screen.query_one("#lines", OptionList)
            whole = "‹ referee: the program draws cards ›"
            lines = [str(option.prompt) for option in listed.options]
            assert sum(whole in line for line in lines) == 2
            board = screen.query_one("#setup-board")
            assert screen.columns + board.outer_size.width * board.display == size[0]


async def test_leaving_asks_before_it_throws_choices_away(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 10)
        await on_line(pilot, "switches", "enter")  # looking into a fold changes nothing
        await press(pilot, "escape")
        await until(pilot, ScenarioBrowser)
        await press(pilot, "enter")
        await until(pilot, GameSetup)
        for name in ("ask:buildings", "loads", "draws:german", "quality:german"):
            await on_line(pilot, name, "right")
        screen = pilot.app.screen  # type: ignore[assignment]
        for stay in ("n", "escape"):
            await press(pilot, "escape")
            await until(pilot, YesOrNo)
            said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
            assert "4 lines have been changed" in said
            assert "Buildings; Loads at the start;" in said
            await press(pilot, "enter", stay)
            await until(pilot, GameSetup)
        assert line(screen, "loads").value == "no"
        await press(pilot, "escape")
        await until(pilot, YesOrNo)
        await press(pilot, "y")
        await until(pilot, ScenarioBrowser)


async def test_rulings_are_folded_and_the_fold_says_what_was_changed(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 1)
        listed = screen.query_one("#lines", OptionList)
        assert "▸ defaults" in str(listed.get_option("rulings").prompt)
        assert not visible(screen, "P41")
        await on_line(pilot, "rulings", "enter")
        assert visible(screen, "P41")
        await on_line(pilot, "P41", "right")
        assert "▾ 1 changed  •" in str(listed.get_option("rulings").prompt)
        assert begun(screen).rulings["P41"] == "keeps_a8"


async def test_an_opened_fold_shows_what_it_held(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 10)
        await press(pilot, "end", "enter")
        listed = screen.query_one("#lines", OptionList)
        first = [o.id for o in listed.options].index("rulings")
        assert listed.scroll_y <= first <= listed.scroll_y + 1
        assert listed.option_count - first > 10


# ------------------------------------------------------------------ the basic game


def keep_armies(where: str) -> None:
    one = ArmyList(name="Reds", units={"rifle": 70}, nation="german", quality="green")
    other = ArmyList(name="Blues", units={"rifle": 60, "machinegun": 2}, rulings={"P2": "half"})
    with Store.open(where) as store:
        for army in (other, one):  # the newest comes first
            store.add_army(GAME, army.name, as_body(army))


async def to_armies(pilot: Pilot[None]) -> GameSetup:
    await until(pilot, HomeScreen)
    await press(pilot, "n")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")
    await press(pilot, "end", "enter")
    await until(pilot, GameSetup)
    listed = pilot.app.screen.query_one("#lines", OptionList)
    await eventually(pilot, lambda: listed.option_count)
    screen = pilot.app.screen
    assert isinstance(screen, GameSetup)
    return screen


async def test_without_an_army_the_message_leads_back_to_the_scenarios(where: str) -> None:
    """Behind it stood an empty form, in which no key did anything."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await until(pilot, ScenarioBrowser)
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "end", "enter")
        await until(pilot, MessageScreen)
        await press(pilot, "escape")
        await until(pilot, ScenarioBrowser)


async def test_who_places_first_is_drawn_for_unless_the_players_know(where: str) -> None:
    keep_armies(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_armies(pilot)
        setup = begun(screen)
        assert setup.lots
        one, other = [army.name for army in setup.armies]
        choose(screen, who="second")
        assert [army.name for army in begun(screen).armies] == [other, one]
        assert not begun(screen).lots
        choose(screen, who="first")
        assert [army.name for army in begun(screen).armies] == [one, other]


async def test_what_is_chosen_for_an_army_goes_with_it_when_it_moves_first(where: str) -> None:
    keep_armies(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_armies(pilot)
        choose(screen, who="second", draws__second="own_die", quality__second="elite")
        first = begun(screen).sides[0]
        assert (first.source.kind, first.source.typed, first.quality) == ("die", True, "elite")
        choose(screen, quality__first="none")
        assert begun(screen).sides[1].quality is None


async def test_an_army_keeps_the_quality_of_its_list_unless_told_otherwise(where: str) -> None:
    keep_armies(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_armies(pilot)
        lists = [army.name for army in begun(screen).armies]
        reds = ("first", "second")[lists.index("Reds")]
        assert begun(screen).side_by_id[reds].quality == "green"
        said = line(screen, f"quality:{reds}").says
        assert said == "as in the army list: Green"


async def test_the_draw_for_sides_ends_with_decks_in_the_same_order(where: str) -> None:
    """The test's app seeds both decks alike; two decks alike would tie for ever."""
    keep_armies(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_armies(pilot)
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        seeds = [source.seed for source in state(pilot).sources.values()]
        assert len(set(seeds)) == 2
        assert state(pilot).agenda == ()


async def test_the_basic_game_asks_its_own_rulings(where: str) -> None:
    keep_armies(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        listed = asked(await to_armies(pilot))
        assert {"P2", "P32", "P74", "P75"} <= listed
        assert not listed & {"P58", "P59", "P71", "P46", "P79"}


async def test_what_two_armies_disagree_about_is_settled_in_set_up(where: str) -> None:
    """P2 matters in the battle; P46 only in the shop, but both sides are fielded under it."""
    book = library.rulings().rulings
    built_with = (
        {"P2": "more_than_half", "P46": "tank_only"},
        {"P2": "half", "P46": "every_tank"},
    )
    with Store.open(where) as store:
        for name, rulings in zip(("Reds [/b]", "Blues"), built_with, strict=True):
            army = ArmyList(name=name, units={"rifle": 60}, rulings=rulings)
            store.add_army(GAME, name, as_body(army))
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_armies(pilot)
        assert form_of(screen).trouble == ""
        assert "built with different rulings: break point" in shown(pilot, "meaning")
        assert not any(one.id == "P32" for one in lines(screen) if not one.folded)
        pick = line(screen, "P2")
        assert not pick.folded
        assert f'Blues was built with "{book["P2"].answers["half"]}"' in pick.told
        assert f'Reds [/b] with "{book["P2"].answers["more_than_half"]}"' in pick.told
        assert begun(screen).rulings["P2"] == book["P2"].default == "half"
        await on_line(pilot, "P2", "right")
        assert begun(screen).rulings["P2"] == "more_than_half"
        assert begun(screen).rulings["P46"] == book["P46"].default
        assert [one.usual for one in lines(screen) if one.id in ("P2", "P46")] == [False, True]
        await on_line(pilot, "second", "right")  # the same army twice agrees with itself
        assert "P2" not in {one.id for one in lines(screen) if not one.folded}
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        assert state(pilot).setup.rulings["P2"] == "more_than_half"


async def test_a_side_that_keeps_only_losses_draws_its_lots_at_the_table(where: str) -> None:
    """The battle would not know who moves first."""
    keep_armies(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_armies(pilot)
        choose(screen, draws__second="ledger")
        assert "draw at the table" in form_of(screen).trouble
        choose(screen, who="second")
        assert form_of(screen).trouble == ""
        assert begun(screen).sides[0].level == "ledger"


async def test_what_is_not_as_proposed_is_marked_by_a_sign_too(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_scenario(pilot, 1)
        listed = screen.query_one("#lines", OptionList)
        assert not any(str(option.prompt).endswith(" •") for option in listed.options)
        await on_line(pilot, "draws:german", "right")
        marked = [option.id for option in listed.options if str(option.prompt).endswith(" •")]
        assert marked == ["draws:german"]


async def test_no_line_is_hidden_while_rows_below_are_empty(where: str) -> None:
    """Dog Beach has the most lines, and what is told of one of them takes what it needs."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await pilot.app.push_screen(GameSetup("plastic", {"battle": "10"}))
        await pilot.pause()
        screen = pilot.app.screen
        lines, about = screen.query_one(OptionList), screen.query_one("#about-line")
        for _ in range(lines.option_count):
            needed = screen.query_one("#meaning").size.height
            assert about.size.height == min(needed, 6)
            assert lines.max_scroll_y == 0
            await press(pilot, "down")


async def test_a_wide_screen_shows_the_whole_names_of_rulings(where: str) -> None:
    for size, name in (
        (WIDE, "  Quick Reaction after turn 3 "),
        (NARROW, "  Quick Reaction after tu… "),
    ):
        async with the_app(where).run_test(size=size) as pilot:
            await until(pilot, HomeScreen)
            await press(pilot, "m", "down", "down", "n")
            await until(pilot, GameSetup)
            await eventually(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count)
            await on_line(pilot, "gaps", "enter")
            prompts = [str(line.prompt) for line in pilot.app.screen.query_one(OptionList).options]
            assert any(prompt.startswith(name) for prompt in prompts), prompts
