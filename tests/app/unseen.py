"""Screens that nobody looks at: what Textual does only for a terminal is left out, and its Pilot
waits no longer than it must. Every widget is built, laid out and drawn as ever."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from time import process_time
from typing import Any
from weakref import WeakKeyDictionary

import textual.app
import textual.pilot
import textual.screen
import textual.strip
from textual import _wait
from textual._compositor import Compositor
from textual._context import active_app, visible_screen_stack
from textual.app import ScreenStackError
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.geometry import Region
from textual.pilot import Pilot, WaitForScreenTimeout

# Textual's Pilot waits after each key until the process has been idle for 20 ms, and screens are
# laid out at the next of sixty ticks a second: over thousands of keys that is most of the time that
# the tests of screens take. Here a screen is laid out as soon as nothing else is to be done, and
# then the program is idle.
#
# All of this is done from outside, without a public way, for these reasons:
# - `wait_for_idle`, `Pilot._wait_for_screen`: `App.run_test` makes the Pilot itself, of that class,
#   and neither has a parameter for how it waits.
# - `app._exception`, `_exception_event`: in public, an error of the app is raised only once
#   `run_test` ends; a test that waits meanwhile would wait for ever.
# - `screen._update_timer`, `_on_timer_update`: `refresh` asks for a layout at the next tick;
#   nothing public tells whether one is due, or does it now.
# - `loop._ready`, `_scheduled`: asyncio has no question whether anything is left to be done.
# - `active_app`, `visible_screen_stack`: `wait_for_idle` is not given the app that it is about.
# - `Compositor.render_update`, `_dirty_regions`, `_get_renders`, `Stylesheet._parse_rules`,
#   `textual.strip.FIFOCache`: what a terminal needs is drawn, parsed and cached inside of Textual,
#   and only a driver could be chosen, to which all of it is handed over.
# A name that a new Textual no longer has fails at once, in the lines that replace it.
textual.screen.UPDATE_PERIOD = 0.25  # type: ignore[misc]
MOMENT = 0.001
"""Seconds between two looks at a job in another thread."""
SOON = 0.006
"""Seconds in which a timer runs out that is waited for."""
PATIENCE = 0.2
"""Seconds without work after which such a job is one that waits for something, as the tests make
some do: on a busy machine others have the processor meanwhile."""

_jobs: WeakKeyDictionary[asyncio.AbstractEventLoop, set[Future[Any]]] = WeakKeyDictionary()
_answers: set[asyncio.Event] = set()
_submit = ThreadPoolExecutor.submit


def _submitted(self: ThreadPoolExecutor, *job: Any, **named: Any) -> Future[Any]:
    future = _submit(self, *job, **named)
    with suppress(RuntimeError):  # given by a thread, in which nobody looks at the screen
        loop = asyncio.get_running_loop()
        _jobs.setdefault(loop, set()).add(future)
        # Once the answer is on its way to whoever gave the job: nobody else is told before.
        loop.call_soon(future.add_done_callback, partial(_over, loop))
    return future


def _over(loop: asyncio.AbstractEventLoop, job: Future[Any]) -> None:
    with suppress(RuntimeError):  # the app has ended, and its loop
        loop.call_soon_threadsafe(_answered_by, loop, job)


def _answered_by(loop: asyncio.AbstractEventLoop, job: Future[Any]) -> None:
    _jobs[loop].discard(job)
    for one in _answers:
        one.set()


async def _answer() -> bool:
    """Wait for the answer of a job, for a moment; whether one came."""
    heard = asyncio.Event()
    _answers.add(heard)
    try:
        async with asyncio.timeout(MOMENT):
            return await heard.wait()
    except TimeoutError:
        return False
    finally:
        _answers.remove(heard)


async def _shown(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until the app has nothing to do, and draw what has changed."""
    await _settled(min_sleep, max_sleep)
    _draw()


async def _settled(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until the app has nothing to do: no callback, no screen to lay out, no job in a thread
    that gets on; or has worked for ``max_sleep`` seconds, however long a busy machine takes."""
    loop = asyncio.get_running_loop()
    jobs = _jobs.setdefault(loop, set())
    waited, used = 0.0, process_time()
    end = used + max_sleep
    while process_time() < end:
        await asyncio.sleep(0)
        if loop._ready or _updated():  # type: ignore[attr-defined]
            continue
        timers = [one for one in loop._scheduled if not one.cancelled()]  # type: ignore[attr-defined]
        soon = timers and min(one.when() for one in timers) - loop.time() < SOON
        if not (soon or jobs) or waited >= (PATIENCE if jobs else SOON):
            return
        answered = await _answer()
        now = process_time()
        busy, used = now - used > MOMENT / 2, now
        waited = 0.0 if busy or answered else waited + MOMENT


def _updated() -> bool:
    """Whether there was a screen to lay out or to paint, which is done then."""
    found = False
    for screen in active_app.get().screen_stack:
        if screen._update_timer._active.is_set():
            screen._on_timer_update()
            found = True
    return found


async def _answered(self: Pilot[Any], timeout: float = 30.0) -> bool:
    """Pilot sends a message to every widget to hear that it has done all that came before. Here
    only the screen answers, whose work may wait for the store; the rest settles."""
    try:
        screen = self.app.screen
    except ScreenStackError:
        return False  # the app has ended
    waiting = [asyncio.create_task(self.app._exception_event.wait())]
    heard = asyncio.Event()
    if screen.call_later(heard.set):
        waiting.append(asyncio.create_task(heard.wait()))
        _, left = await asyncio.wait(waiting, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        if len(left) == len(waiting):
            raise WaitForScreenTimeout("the screen never came to the end of its work")
    for one in waiting:
        one.cancel()
    await _settled()
    return self.app._exception is None


_wait.wait_for_idle = textual.app.wait_for_idle = _settled  # type: ignore[attr-defined]
textual.pilot.wait_for_idle = _shown  # type: ignore[attr-defined]
Pilot._wait_for_screen = _answered  # type: ignore[method-assign]
ThreadPoolExecutor.submit = _submitted  # type: ignore[method-assign,assignment]

_undrawn: dict[Compositor, tuple[list[Any], list[Region]]] = {}
_laid, _parsed = Compositor.render_update, Stylesheet._parse_rules
_rules: dict[tuple[object, ...], list[RuleSet]] = {}


class NoCache:
    """Each line of a screen has seven caches, which cost more to make than they ever save here."""

    def __init__(self, maxsize: int = 0) -> None: ...

    def get(self, key: object, default: object = None) -> object:
        return default

    def __setitem__(self, key: object, value: object) -> None: ...


_none = NoCache()


def _parsed_once(self: Stylesheet, css: str, *where: Any, **how: Any) -> list[RuleSet]:
    """Every app reads the same styles anew."""
    key = css, *where, *how.values(), *self._variables.values()
    if key not in _rules:
        _rules[key] = _parsed(self, css, *where, **how)
    return _rules[key]


def _drawn(
    self: Compositor, full: bool = False, screen_stack: list[Any] | None = None, **how: Any
) -> Any:
    """Lay the drawings of the widgets together only where the whole screen is asked for, as the
    pictures do; else note what is to be drawn once the app has nothing more to do."""
    if full:
        return _laid(self, full, screen_stack, **how)
    dirty = [region.intersection(self.size.region) for region in self._dirty_regions]
    self._dirty_regions.clear()
    if dirty:
        _undrawn.setdefault(self, (screen_stack or [], []))[1].extend(dirty)
    return None


def _draw() -> None:
    shown = [screen._compositor for screen in active_app.get().screen_stack]
    while _undrawn:
        compositor, (screens, dirty) = _undrawn.popitem()
        if compositor in shown:  # not of an app that has ended, or of a screen that was left
            visible_screen_stack.set(screens)
            list(compositor._get_renders(Region.from_union(dirty)))


@contextmanager
def unseen() -> Iterator[None]:
    """Apps that run meanwhile are not shown."""
    before = Stylesheet._parse_rules, Compositor.render_update, textual.strip.FIFOCache
    Stylesheet._parse_rules = _parsed_once  # type: ignore[method-assign]
    Compositor.render_update = _drawn  # type: ignore[method-assign]
    textual.strip.FIFOCache = lambda maxsize: _none  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        Stylesheet._parse_rules, Compositor.render_update, textual.strip.FIFOCache = before  # type: ignore
