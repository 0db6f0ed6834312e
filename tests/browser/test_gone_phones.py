"""Phones that are gone before they are answered."""

from __future__ import annotations

from aiohttp import ClientConnectionResetError, web
from aiohttp.test_utils import make_mocked_request

from skirmish.web.server import Connections


async def test_a_phone_that_is_gone_while_it_connects_leaves_no_traceback() -> None:
    """It fell asleep, or its page was closed, between its request and the answer."""

    async def connects(request: web.Request) -> web.StreamResponse:
        raise ClientConnectionResetError("Cannot write to closing transport")

    noted = Connections(4).middleware()
    answer = await noted(make_mocked_request("GET", "/live"), connects)
    assert isinstance(answer, web.Response)
    assert not answer.body
