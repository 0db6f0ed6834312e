"""What is in hand: Esc drops it, and nothing of it joins the next order; Ctrl+Z undoes."""

from __future__ import annotations

from msgspec.structs import replace
from steps import NARROW, fought, press, resume, shown, state, the_app, type_draw

from skirmish.games.plastic.battle.agenda import DrawAsk


async def test_escape_drops_a_typed_part_then_the_whole_command(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"12rr15")
        screen = pilot.app.screen
        assert screen.draft.typed == "15"
        await press(pilot, "escape")
        assert screen.draft.typed == ""
        assert screen.draft.answers["count"] == 12
        await press(pilot, "escape")
        assert screen.draft is None
        await press(pilot, *"-12", "escape")  # both digits at once
        assert screen.draft.command.key == "-"
        assert screen.draft.typed == ""
        await press(pilot, "escape")
        assert screen.draft is None


async def test_escape_drops_typed_cards_all_at_once_then_takes_the_shot_back(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"8rr8", "space")
        await press(pilot, *"7h", "space", *"3c")
        await press(pilot, "escape")
        assert pilot.app.screen.draft.typed == ""
        assert isinstance(state(pilot).ask, DrawAsk)
        await press(pilot, "escape")
        assert state(pilot).ask is None
        assert state(pilot).shots == 0


async def test_the_last_line_of_a_draw_names_the_key_that_undoes(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "-", "r", *"8rr8", "space")
        assert "Ctrl+Z undo" in shown(pilot, "keys")
        assert "⌫" not in shown(pilot, "keys")
        await press(pilot, "backspace")
        assert "Ctrl+Z undoes" in shown(pilot, "asked")
        await press(pilot, "ctrl+z")
        assert state(pilot).ask is None
        await press(pilot, "ctrl+z")
        assert not state(pilot).loss.get("german")
        assert "⌫ undo" in shown(pilot, "keys")


async def test_in_plain_ascii_backspace_is_named_by_letters(where: str) -> None:
    """Its sign would be shown as ``<``, which is a key that undoes nothing."""
    fought(where)
    app = the_app(where)
    app.settings = replace(app.settings, characters="ascii")
    app._apply_settings()
    async with app.run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "-", "r")
        assert "Bksp undo" in shown(pilot, "keys")


async def test_undo_after_a_draw(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"rr", "space")
        await type_draw(pilot, "9h")
        await press(pilot, "ctrl+z")
        assert isinstance(state(pilot).ask, DrawAsk)


async def test_a_card_of_a_volley_is_put_right_by_its_number(where: str) -> None:
    """As if it had been typed rightly at once: with it, a repeat shot becomes another's shot."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"2mr8", "space")
        await press(pilot, *"7h 3c", "enter")
        assert "2=jc puts card 2 right" in shown(pilot, "asked").replace("\n", " ")
        assert "1 of 2, 2 hits so far" in shown(pilot, "asked")
        before = len(pilot.app.screen.session.play)
        await press(pilot, *"2=jc", "enter")
        assert "Machinegun 2 of 2, 1 hit so far" in shown(pilot, "asked")
        source = state(pilot).sources["polish"]
        assert [str(card) for card in source.gone] == ["7H", "JC"]
        assert len(pilot.app.screen.session.play) == before + 2
        await press(pilot, *"9=jc", "enter")
        assert "There is no draw 9: 2 have been typed so far." in shown(pilot, "asked")
        assert len(pilot.app.screen.session.play) == before + 2
        await press(pilot, "escape", *"1=9h10c", "enter")  # and the next card with it
        assert state(pilot).ask is None
        assert not state(pilot).lost


async def test_a_card_of_a_volley_is_put_right_when_it_is_over_too(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"3rr8", "space", *"9h 3h 9c", "enter", "enter")
        assert len(state(pilot).lost) == 1
        await press(pilot, "tab", *"2=jc", "enter")  # 6 keys
        assert not state(pilot).lost
        assert [one.hit for one in state(pilot).judged] == [False, False, False]
