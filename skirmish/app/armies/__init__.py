"""Armies: the list, the builder, two side by side, the figures one owns."""
