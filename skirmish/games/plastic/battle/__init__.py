"""A battle in progress: order -> events -> state, with the complete history."""
