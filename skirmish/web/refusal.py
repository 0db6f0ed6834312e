"""The page for a request that is refused, or whose address leads nowhere. It contains its own
styles: whoever is refused may not fetch a style sheet or a typeface either."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from http import HTTPStatus

from aiohttp import web
from markupsafe import Markup

from skirmish.tabletop.typed import plain

TITLES = {
    HTTPStatus.FORBIDDEN: "You cannot come in here",
    HTTPStatus.NOT_FOUND: "There is nothing here",
    HTTPStatus.TOO_MANY_REQUESTS: "Not so fast",
}
"""The title of the page by its status; any other status has its standard phrase as the title."""
NOTHING_THERE = "This address leads nowhere. Go back to the table and open the link anew."
_STYLE = """
:root { color-scheme: dark light; --ground: #16180f; --ink: #e8e4d4; --quiet: #b3b09e;
  --accent: #e0a458; }
@media (prefers-color-scheme: light) {
  :root { --ground: #f8f4e8; --ink: #22231c; --quiet: #55554a; --accent: #8a4b08; } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center;
  background: var(--ground); color: var(--ink);
  font: 1.25rem/1.45 "Barlow Semi Condensed", system-ui, sans-serif; }
main { max-width: 34rem; margin: 1.5rem; padding-left: 1.25rem;
  border-left: .5rem solid var(--accent); }
.name { margin: 0; color: var(--quiet); font-weight: 600; letter-spacing: .12em;
  text-transform: uppercase; }
h1 { margin: .25rem 0 1rem; font-size: 2rem; line-height: 1.15; }
main > p:not(.name) { margin: .5rem 0 0; }
"""
_PAGE = Markup("""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    <title>{title} - Skirmish</title>
    <style>{style}</style>
  </head>
  <body>
    <main>
      <p class="name">Skirmish</p>
      <h1>{title}</h1>
      {sentences}
    </main>
  </body>
</html>
""")
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of the page: it may use these styles, known by their hash, and fetch
nothing."""


def refusal_page(status: int, text: str) -> web.Response:
    """The answer with that status, and with each line of the text as a paragraph."""
    http_status = HTTPStatus(status)
    paragraphs = [Markup("<p>{}</p>").format(plain(line)) for line in text.splitlines()]
    page = _PAGE.format(
        title=TITLES.get(http_status, http_status.phrase),
        style=Markup(_STYLE),
        sentences=Markup("\n      ").join(paragraphs),
    )
    answer = web.Response(status=status, text=str(page), content_type="text/html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


def wants_page(request: web.Request) -> bool:
    """Whether a browser has sent the request to open a page. Whatever else asks, such as a script,
    gets plain text."""
    return request.method == "GET" and "text/html" in request.headers.get("Accept", "")
