"""The odds of every weapon against every kind of target, as a heat map."""
