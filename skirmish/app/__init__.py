"""The full-screen app. Screens hold no rule; what is allowed they ask the game."""
