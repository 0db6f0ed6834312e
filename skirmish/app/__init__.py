"""Floor 5: the full-screen app. Screens hold no rule; what is allowed they ask the game."""

from __future__ import annotations


def run_app(follow: int | None = None) -> None:
    """Open the app on this terminal, at the battle that is to be followed if one is; ends the
    program, with 1 if the app broke down."""
    from skirmish.app.application import SkirmishApp

    app = SkirmishApp()
    app.follows = follow
    app.run()
    raise SystemExit(app.return_code or 0)
