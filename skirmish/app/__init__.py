"""Floor 5: the full-screen app. Screens hold no rule; what is allowed they ask the game."""

from __future__ import annotations

from contextlib import suppress


def run_app(follow: int | None = None) -> None:
    """Open the app on this terminal, at the battle that is to be followed if one is; ends the
    program, with 1 if the app broke down."""
    from skirmish.app.application import SkirmishApp
    from skirmish.app.guard import log_beside
    from skirmish.store.errors import StoreError
    from skirmish.store.place import find

    with suppress(StoreError):  # home says what is wrong with the place
        log_beside(find().path)
    app = SkirmishApp()
    app.follows = follow
    app.run()
    raise SystemExit(app.return_code or 0)
