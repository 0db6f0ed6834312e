"""The app in browsers, and the pages of sides for phones; one server for both.

The whole app in a tab of a browser: ``server`` gives each tab a process of its own. textual-serve
provides the terminal in the page and the protocol with the processes; this package adds access
control (``gate``), limits (``connections``), and the end of a process with its tab (``tab``).

A phone at the table needs no process: ``phones`` answers it. Begin to read there. ``links`` are the
tokens that open its page. ``open_games`` holds the games that phones have open. A tap goes through
``side_player``, which plays one side and builds its ``side_view``, a page as data; ``side_html``
and ``page_html`` write it as HTML. ``delivery`` sends it to every ``phone`` that shows the game,
and the board on the wall (``wall_html``) to televisions.

Every text goes through MarkupSafe, and no style or script stands in the markup, since the content
security policy forbids them. What a side may see is for the game to say: it is asked with the
``viewer``, and nothing is left out here. Nothing is stored here but orders and links.
"""

from __future__ import annotations

SERVED = "SKIRMISH_SERVED"
"""The environment variable of an app whose terminal is a page."""
