"""The smallest Textual app that shows a word and answers a key: the yardstick."""

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static

SHOWN = "bare and readable"
ANSWERED = "key taken"


class Bare(App[None]):
    """One ``Static``; any key changes its text."""

    def compose(self) -> ComposeResult:
        yield Static(SHOWN)

    def on_key(self, event: events.Key) -> None:
        self.query_one(Static).update(f"{ANSWERED}: {event.key}")


if __name__ == "__main__":
    Bare().run()
