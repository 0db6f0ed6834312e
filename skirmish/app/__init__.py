"""The full-screen app. Screens hold no rules; they query the game for what is allowed."""
