"""Beach Head in the app."""
