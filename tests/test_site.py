"""What ``make site`` does to the pages before MkDocs, and what it looks for afterwards."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "docs"))

from make_site import for_the_site, indented, mistakes  # noqa: E402


def test_a_link_into_the_repository_leads_to_its_page_of_the_site() -> None:
    text = "[a](docs/odds.md#luck) [b](CHANGELOG.md) [c](reports/a4/x.pdf) [d](https://example.org)"
    assert for_the_site(text, ROOT / "README.md") == (
        "[a](odds.md#luck) [b](changelog.md) [c](sheets/a4/x.pdf) [d](https://example.org)\n"
    )
    assert (
        for_the_site("[a](../README.md#start)", ROOT / "docs" / "x.md") == "[a](readme.md#start)\n"
    )


def test_what_belongs_to_an_item_stands_four_spaces_to_the_right() -> None:
    text = (
        "1. An item,\n   and more.\n\n   ```toml\n   key = 1\n   ```\n\n   - within\n\n"
        "2. Next\n\nAfter.\n"
    )
    assert indented(text) == (
        "1. An item,\n    and more.\n\n    ```toml\n    key = 1\n    ```\n\n    - within\n\n"
        "2. Next\n\nAfter.\n"
    )


def test_a_list_right_below_a_sentence_gets_an_empty_line() -> None:
    assert indented("Three things:\n* one\n* two\n") == "Three things:\n\n* one\n* two\n"


def test_code_stays_as_it_is() -> None:
    text = "```text\n* no list\n  1. nor this\n```\n"
    assert indented(text) == text


def built(folder: Path, body: str) -> list[str]:
    """What is wrong with a site of two pages, one of them with this body."""
    (folder / "index.html").write_text(body, "utf-8")
    (folder / "other.html").write_text('<h1 id="there">There</h1>', "utf-8")
    return list(mistakes(folder))


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    assert (
        built(tmp_path, '<a href="other.html#there">a</a><a href="https://example.org">b</a>') == []
    )
    assert built(tmp_path, '<a href="gone.html">a</a>') == [
        "index.html leads to gone.html, which is not there"
    ]
    assert built(tmp_path, '<a href="other.html#gone">a</a>') == [
        "index.html leads to other.html#gone, which has no such place"
    ]


def test_what_comes_from_elsewhere_is_named(tmp_path: Path) -> None:
    assert built(tmp_path, '<script src="https://example.org/x.js"></script>') == [
        "index.html loads https://example.org/x.js"
    ]
    (tmp_path / "look.css").write_text("a { background: url(//example.org/x.png) }", "utf-8")
    assert built(tmp_path, "") == ["look.css loads url(//example.org/x.png"]
