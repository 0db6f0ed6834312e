"""A battle in progress: order -> events -> state, with everything that happened kept."""
