"""Phones at the table: what a link opens and what it does not, answers given at once by two, and
what a lost connection loses."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest
from phone_table import DECK, TOKEN, PhoneTable, begun, phone, phone_table

from skirmish import registry
from skirmish.games.plastic.battle.orders import AddNote, Fire, Show
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.chance import parse_card
from skirmish.web import open_games
from skirmish.web import phone as phone_module
from skirmish.web import phones as served
from skirmish.web.links import NO_LINK, WATCH, new_token
from skirmish.web.open_games import OpenGame
from skirmish.web.phone import Phone
from skirmish.web.phones import Delivery
from skirmish.web.side_player import ALREADY_ANSWERED

MG = Fire(shooter="polish/rearguard/machinegun", target="german/column/rifle")
ROUTES = ("", "ws", "page/index.html", "page/skirmish.js", "static/js/textual.js", "nowhere",
          "sheets/any/sheet.pdf")  # fmt: skip
OPEN = ("side", "page/live.js", "page/side.css", "page/side.js", "page/skirmish.svg",
        "page/board.css", "page/sides.css", "page/strip.css", "page/wall.css",
        "page/wall.js")  # fmt: skip


@pytest.fixture
def database(folder: Path) -> Path:
    """Overmatched as number 1, with cards of the players; number 2 has hidden men."""
    path = folder / "kept.db"
    with Store.open(str(path)) as store:
        begun(store, 1)
        begun(store, 3, DECK)
    return path


def gives(table: PhoneTable, *orders: object) -> None:
    """Another program gives orders in battle 1."""
    with Store.open(str(table.database)) as store:
        session = at_once(Session.resumed(registry.load("plastic"), job_runner(store), 1))
        for order in orders:
            at_once(session.give(order))


# ------------------------------------------------------------------ what a link opens


async def test_a_link_opens_the_page_of_its_side_and_nothing_else(database: Path) -> None:
    async with phone_table(database) as table:
        for token in table.tokens("german", WATCH):
            jar = aiohttp.CookieJar(unsafe=True)
            async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
                async with visitor.get(f"{table.door}s/{token}") as answer:
                    assert answer.status == 200
                    assert token not in await answer.text()
                    cookie = answer.headers["Set-Cookie"]
                    assert "HttpOnly" in cookie
                    assert "SameSite=Strict" in cookie
                    assert answer.headers["Referrer-Policy"] == "no-referrer"
                for route in OPEN:
                    async with visitor.get(table.door + route) as answer:
                        assert answer.status == 200, route
                        assert token not in await answer.text()
                for route in ROUTES:
                    async with visitor.get(table.door + route) as answer:
                        assert answer.status == 403, route
                for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
                    for route in (*OPEN, *ROUTES, "side/live", f"s/{token}"):
                        async with visitor.request(method, table.door + route) as answer:
                            assert answer.status == 405, (method, route)
                for origin in ("http://evil.example", table.door, "null", ""):
                    headers = {"Origin": origin}
                    with pytest.raises(aiohttp.WSServerHandshakeError):
                        await visitor.ws_connect(f"{table.door}side/live", headers=headers)
                evil = {"Host": f"evil.example:{table.gate.port}"}
                async with visitor.get(f"{table.door}side", headers=evil) as answer:
                    assert answer.status == 403


async def test_without_a_valid_link_nothing_is_opened(database: Path) -> None:
    async with phone_table(database) as table:
        (known,) = table.tokens("german")
        for token in (new_token(), known[:-1], "", "ü" * 20, "%00", f"{known}/x", TOKEN):
            jar = aiohttp.CookieJar(unsafe=True)
            async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
                async with visitor.get(f"{table.door}s/{token}") as answer:
                    assert answer.status in (403, 404), token
                    assert "Set-Cookie" not in answer.headers
                visitor.cookie_jar.update_cookies({table.gate.side_cookie: token})
                for route in (*OPEN, "side/live"):
                    async with visitor.get(table.door + route) as answer:
                        assert answer.status == 403, route


async def test_a_request_that_cannot_be_read_is_refused_and_not_logged(
    database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with phone_table(database) as table:
        (known,) = table.tokens("german")
        port, own, side = table.gate.port, table.gate.cookie, table.gate.side_cookie
        for path, cookie, status in (
            ("/", f"{own}=\xff\xfe", b"403"),
            ("/side", f"{side}={known}\xff", b"403"),
            (f"/?token={known}%ff", "a=b", b"403"),
            (f"/?token={known}\xff", "a=b", b"400"),
            (f"/s/{known}\xff", "a=b", b"400"),
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Cookie: {cookie}",
                     "Connection: close", "", "")  # fmt: skip
            writer.write("\r\n".join(lines).encode("latin-1"))
            answer = await reader.read()
            writer.close()
            assert answer.split()[1] == status, (path, cookie, answer)
    assert not caplog.records


async def test_the_link_to_the_table_is_no_link_to_a_side(database: Path) -> None:
    async with phone_table(database) as table:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
            async with visitor.get(f"{table.door}?token={TOKEN}") as answer:
                assert answer.status == 200
            async with visitor.get(f"{table.door}side") as answer:
                assert answer.status == 403
                assert "Ask at the table" in await answer.text()


async def test_the_page_of_a_side_has_a_policy_without_inline_script(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens("german")
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
            await visitor.get(f"{table.door}s/{token}")
            async with visitor.get(f"{table.door}side") as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "unsafe" not in policy
                assert "default-src 'none'" in policy


async def test_a_link_that_is_taken_back_ends_what_it_opened(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens("polish")
        async with phone(table, token) as poles:
            table.book.renew(1, "polish")
            told = await poles.tap("m")
            assert told == {"over": NO_LINK}
        (other,) = table.tokens("polish")
        assert other != token
        async with phone(table, other) as poles:
            assert "WHO FIRES?" in poles.text


async def test_the_link_to_the_table_is_taken_back_while_the_server_runs(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "NOTE_EVERY", 0.0)
    async with phone_table(database) as table:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
            await visitor.get(f"{table.door}?token={TOKEN}")
            table.book.renew_app_token()
            new = table.book.ensure_app_token()
            while table.gate.token != new:
                await asyncio.sleep(0.01)
            for token, status in ((TOKEN, 403), (new, 200)):
                async with visitor.get(f"{table.door}?token={token}") as answer:
                    assert answer.status == status
            async with visitor.get(f"{table.door}page/skirmish.js") as answer:
                assert answer.status == 200


# ------------------------------------------------------------------ whose it is


async def test_each_side_is_asked_its_own_questions(database: Path) -> None:
    async with phone_table(database) as table:
        ours, theirs, watch = table.tokens("polish", "german", WATCH)
        async with (
            phone(table, ours) as poles,
            phone(table, theirs) as germans,
            phone(table, watch) as spectator,
        ):
            assert "data-press" not in spectator.html
            for key in ("m", "r"):
                await poles.tap(key)
            while "Against you now" not in germans.text:
                await germans.hear()
            while "Happening now" not in spectator.text:
                await spectator.hear()
            assert "Against you now" not in spectator.text
            await poles.tap("enter")
            assert "DRAW Poles, for the shot." in poles.text
            await germans.hear()  # the shot being put together, or the state after it
            while germans.at < 2:
                await germans.hear()
            assert not germans.offers("5\n")
            entries = table.entries()
            for key in ("5\n", "5h\n", "enter", "undo", "insist"):
                await germans.tap(key)
            for key in ("5\n", "undo", "m", "E", "enter", ">"):
                await spectator.tap(key)
            assert table.entries() == entries
            await poles.tap("5h\n")
            while "WHO DIES?" not in germans.text:
                await germans.hear()
            assert "WHO DIES?" not in poles.text
            assert not poles.offers("r")
            await germans.tap("enter")
            assert table.entries() == entries + 2


async def test_what_is_hidden_from_a_side_is_not_sent_to_it(database: Path) -> None:
    async with phone_table(database) as table:
        british, german, watch = table.tokens("british", "german", WATCH, battle=2)
        async with phone(table, german) as germans:
            assert "Hidden riflemen" in germans.text
        for token in (british, watch):
            async with phone(table, token) as other:
                assert "British" in other.text
                assert "Hidden riflemen" not in other.html


# ------------------------------------------------------------------ two at once


async def test_an_answer_given_twice_is_taken_once_and_the_other_is_told(database: Path) -> None:
    async with phone_table(database) as table:
        gives(table, MG, Show((parse_card("5h"),)))
        (token,) = table.tokens("german")
        async with phone(table, token) as one, phone(table, token) as two:
            before = table.entries()
            for each in (one, two):
                await each.socket.send_json({"at": each.at, "keys": [], "press": "enter"})
            told = set()
            while not told or any(each.at == before for each in (one, two)):
                for each in (one, two):
                    await each.hear()
                    told |= {each} if ALREADY_ANSWERED in each.html else set()
            assert table.entries() == before + 1
            assert told == {two}


async def test_who_watches_sees_the_losses_by_turn(database: Path) -> None:
    async with phone_table(database) as table:
        ours, watch = table.tokens("polish", WATCH)
        async with phone(table, watch) as watching, phone(table, ours) as playing:
            assert "Losses by turn: Germans 0 of 50, Poles 0 of 28" in watching.html
            assert "Losses by turn" not in playing.html


async def test_what_is_done_at_the_table_is_on_the_phone_at_once(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens(WATCH)
        async with phone(table, token) as spectator:
            gives(table, AddNote("Tea"))
            await spectator.hear()
            assert "Tea" in spectator.text


async def test_what_can_be_done_anyway_stays_while_others_put_something_together(
    database: Path,
) -> None:
    """A phone was redrawn for the news of another one, and its button *Do it anyway* was gone."""
    async with phone_table(database) as table:
        for card in ("jd", "qd"):
            gives(table, MG, Show((parse_card(card),)))
        (token,) = table.tokens("polish")
        async with phone(table, token) as poles:
            for key in ("m", "r", "enter"):
                await poles.tap(key)
            assert "has fired" in poles.text
            assert poles.offers("insist")
            with Store.open(str(database)) as store:
                store.set_typed(1, table.entries(), ["r", "r"])
            await poles.hear()
            assert poles.offers("insist")


async def test_a_shot_being_put_together_survives_a_new_server(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens("polish")
        async with phone(table, token) as poles:
            await poles.tap("2")
            await poles.tap("m")
            at, keys = poles.at, poles.keys
        port = table.gate.port
    async with phone_table(database, port) as table:
        gives(table, AddNote("Tea"))  # and an entry of another
        async with phone(table, token) as poles:
            poles.at, poles.keys = at, keys
            await poles.tap("")
            assert "AT WHOM?" in poles.text
            assert "2 Machinegun" in poles.text
            poles.at = at  # a tap meant for the state before
            await poles.tap("r")
            assert ALREADY_ANSWERED in poles.text
            await poles.tap("r")
            assert "AT WHOM?" not in poles.text


async def test_an_order_is_undone_only_by_its_own_side(database: Path) -> None:
    async with phone_table(database) as table:
        gives(table, MG)
        ours, theirs = table.tokens("polish", "german")
        async with phone(table, theirs) as germans:
            before = table.entries()
            await germans.tap("undo")
            assert table.entries() == before
        async with phone(table, ours) as poles:
            await poles.tap("undo")
            assert table.entries() == before + 1
            assert "WHO FIRES?" in poles.text


# ------------------------------------------------------------------ bad input, and too much


async def test_what_cannot_be_read_gets_a_sentence_and_ends_nothing(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens("polish")
        async with phone(table, token) as poles:
            for text in ("", "{", "[]", "null", '{"at": "x"}', '{"keys": [1]}', '{"at": 1e400}',
                         '{"press": "' + "x" * 500 + '"}', "[" * 9_000):  # fmt: skip
                await poles.socket.send_str(text)
                assert await poles.hear() == {"wait": served.UNREADABLE}, text
            for press in ("zzz", "\x00", "🪖", "99999999999999\n", "x" * 300, "escape", "tab"):
                assert "html" in await poles.tap(press), press
            await poles.socket.send_json({"ping": 1})
            assert await poles.hear() == {"pong": 1}
            assert table.entries() == 1


async def test_too_many_taps_wait_and_too_many_phones_are_told(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "MOST_PHONES", 1)
    monkeypatch.setattr(phone_module, "TAPS_AT_ONCE", 3.0)
    async with phone_table(database) as table:
        (token,) = table.tokens("polish")
        async with phone(table, token) as poles:
            told = [await poles.tap("") for _ in range(6)]
            assert {"wait": served.TOO_FAST} in told
            jar = aiohttp.CookieJar(unsafe=True)
            async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
                await visitor.get(f"{table.door}s/{token}")
                origin = {"Origin": table.door.rstrip("/")}
                socket = await visitor.ws_connect(f"{table.door}side/live", headers=origin)
                assert await socket.receive_json() == {"over": served.ALL_PHONES_TAKEN}


async def test_a_flood_ends_the_connection(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens("polish")
        async with phone(table, token) as poles:
            for _ in range(served.MOST_TOO_FAST + 200):
                await poles.socket.send_json({"ping": 1})
            while "over" not in (told := await poles.hear()):
                pass
            assert told == {"over": served.TOO_FAST}


async def test_a_link_cannot_keep_the_others_out(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "MOST_WITH_SAME_LINK", 1)
    async with phone_table(database) as table:
        ours, watch = table.tokens("polish", WATCH)
        async with phone(table, watch), phone(table, ours) as poles:
            jar = aiohttp.CookieJar(unsafe=True)
            async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
                await visitor.get(f"{table.door}s/{watch}")
                origin = {"Origin": table.door.rstrip("/")}
                socket = await visitor.ws_connect(f"{table.door}side/live", headers=origin)
                assert await socket.receive_json() == {"over": served.ALL_PHONES_TAKEN}
            assert "WHO FIRES?" in poles.text


async def test_a_phone_that_takes_no_message_keeps_no_other_waiting(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with phone_table(database) as table:
        ours, watch = table.tokens("polish", WATCH)
        async with phone(table, watch), phone(table, ours) as poles:
            send = Phone.send_page

            async def stuck(self: Phone, html: str) -> None:
                await (asyncio.sleep(60) if self.link.viewer is None else send(self, html))

            monkeypatch.setattr(Phone, "send_page", stuck)
            for text in ("Tea", "Milk"):
                gives(table, AddNote(text))
                while text not in poles.text:
                    await poles.hear()


async def test_a_game_that_cannot_be_looked_at_keeps_the_phones_of_no_other_waiting(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_news = Delivery.show_news

    async def broken_for_second(self: Delivery, game: OpenGame, **news: bool) -> None:
        assert game.session.id != 2
        await show_news(self, game, **news)

    async with phone_table(database) as table:
        (broken,) = table.tokens(WATCH, battle=2)
        (whole,) = table.tokens(WATCH)
        async with phone(table, broken), phone(table, whole) as spectator:
            monkeypatch.setattr(Delivery, "show_news", broken_for_second)
            gives(table, AddNote("Tea"))
            await spectator.hear()
            assert "Tea" in spectator.text


async def test_the_program_at_the_table_sees_who_is_connected(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens("polish")
        async with phone(table, token):
            await asyncio.sleep(0)
            note = table.book.server_note()
            assert note is not None
            assert note.connected[token] == 1
    assert table.book.server_note() is None


async def test_the_files_with_tokens_are_their_owners(database: Path) -> None:
    async with phone_table(database) as table:
        table.tokens("polish")
        for name in (".kept.db.links", ".kept.db.serving"):
            assert database.with_name(name).stat().st_mode & 0o077 == 0
