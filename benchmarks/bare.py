"""The smallest Textual app that shows a word and answers a key: the yardstick."""

from textual import events
from textual.app import App, ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static

SHOWN = "bare and readable"
ANSWERED = "key taken"
OPENED = "window open"


class Window(ModalScreen[None]):
    """What the question mark opens, as it opens the help of Skirmish."""

    BINDINGS = [("escape", "dismiss", "Close")]  # noqa: RUF012 (as Textual has it)

    def compose(self) -> ComposeResult:
        yield Static(OPENED)


class Bare(App[None]):
    """One ``Static``; a question mark opens a window, any other key changes its text."""

    def compose(self) -> ComposeResult:
        yield Static(SHOWN)

    def on_key(self, event: events.Key) -> None:
        if event.key == "question_mark":
            self.push_screen(Window())
        else:
            self.query_one(Static).update(f"{ANSWERED}: {event.key}")


if __name__ == "__main__":
    Bare().run()
