"""What a user wrote is text in Markdown, too, and no markup."""

from __future__ import annotations

import pytest

from skirmish.tabletop.page_markdown import escaped


@pytest.mark.parametrize(
    ("text", "in_markdown"),
    [
        ("# first", r"\# first"),
        ("## first", r"\## first"),
        (">first", r"\>first"),
        ("- first", r"\- first"),
        ("---", r"\---"),
        ("1. first", r"1\. first"),
        ("a_b *c*", r"a\_b \*c\*"),
        ("&amp;", r"\&amp;"),
        ("No. #3 & -4", "No. #3 & -4"),
    ],
)
def test_a_text_that_looks_like_markup_is_escaped(text: str, in_markdown: str) -> None:
    assert escaped(text) == in_markdown
