"""The app in browsers, each tab a process of its own, behind a gate. textual-serve provides the
terminal in the page and the protocol with the processes. This package adds access control
(``gate``), a limit on tabs, and the end of a process with its tab (``tab``)."""

SERVED = "SKIRMISH_SERVED"
"""The environment variable of an app whose terminal is a page."""
