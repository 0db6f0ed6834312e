"""The app in browsers, and the pages of sides for phones; one server for both.

The whole app runs in a tab of a browser: ``server`` gives each tab a process of its own.
textual-serve provides the terminal in the page and the protocol with the processes; this package
adds access control (``gate``) and a limit on the connections, and ends a process with its tab
(``tab``).

A phone at the table needs no process: ``phones`` answers it. Begin reading there. ``links`` are the
tokens that open its page. ``open_games`` holds the games that phones have open. A tap goes through
``side_player``, which plays one side and builds its ``side_view``, a page as data; ``side_html``
and ``page_html`` write it as HTML. ``phones`` sends it to every ``phone`` that shows the game, and
the board on the wall (``wall_html``) to televisions.

Every text goes through MarkupSafe, and the markup has no styles or scripts in it, since the content
security policy forbids them. The game decides what a side may see: it is asked with the ``viewer``,
and this package leaves nothing out. It stores nothing but orders and links.
"""

from __future__ import annotations

SERVED = "SKIRMISH_SERVED"
"""The environment variable that is set for an app whose terminal is a page in a browser."""
