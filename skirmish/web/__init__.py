"""The app in browsers, each tab a process of its own, a gate in front of all.

textual-serve brings the page's terminal and the talk with the processes. What it lacks stands here:
who may come in (``gate``), how many, and that no process outlives its tab (``tab``).
"""

SERVED = "SKIRMISH_SERVED"
"""In the environment of an app whose terminal is a page."""
