"""A screenshot of the screen in front, written to the folder of printed sheets."""

from __future__ import annotations

import asyncio
import re
from typing import NamedTuple

from textual.geometry import Size

from skirmish.app.base_screen import Screen
from skirmish.app.host import Host
from skirmish.extras import logged_failure


class ScreenshotKind(NamedTuple):
    """A kind of picture: its ``name``, what it is ``good_for``, and its type in a browser."""

    name: str
    good_for: str
    mime_type: str


SVG = ScreenshotKind("SVG", "sharp at any size", "image/svg+xml")
PNG = ScreenshotKind("PNG", "for messages and forums", "image/png")
KINDS = (SVG, PNG)


async def save_screenshot(app: Host, kind: ScreenshotKind) -> None:
    """Save the screen in front as a picture, named after it, and show where it is."""
    from skirmish.app.printing import FileKind, write_file

    app.clear_notifications()  # an earlier message must not cover the screen
    exported = app.export_screenshot()
    # Our screens have a topic for their help; a window of Textual's, such as the palette, has none.
    topic = "screen"
    if isinstance(app.screen, Screen) and app.screen.TOPIC:
        topic = app.screen.TOPIC
    topic_in_name = re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-")
    name = f"skirmish-{topic_in_name}.{kind.name.lower()}"
    try:
        picture = await asyncio.to_thread(_picture_file, kind, exported, app.size)
    except Exception:  # whatever fails in an extra, the game goes on without it
        await app.show_message("Not saved", logged_failure("The screenshot is not available"))
        return
    file_kind = FileKind(
        name="The screenshot",
        title_written="Saved",
        title_failed="Not saved",
        mime_type=kind.mime_type,
    )
    await write_file(app, name, picture, file_kind)


def _picture_file(kind: ScreenshotKind, exported: str, screen: Size) -> bytes:
    """The content of the file, from what Textual ``exported`` of a screen of that size."""
    from skirmish.app.terminal_picture import as_png, as_svg, read_picture

    picture = read_picture(exported, screen.width, screen.height)
    if kind == PNG:
        return as_png(picture)
    return as_svg(picture).encode()
