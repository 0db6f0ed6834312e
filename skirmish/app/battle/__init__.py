"""The battle: its screen, its questions and answers, its journal and its summary."""
