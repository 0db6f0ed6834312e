"""Floor 5: the full-screen app. Screens hold no rule; what is allowed they ask the game."""

from __future__ import annotations


def run_app() -> None:
    """Open the app on this terminal and return when it is closed."""
    from skirmish.app.application import SkirmishApp

    SkirmishApp().run()
