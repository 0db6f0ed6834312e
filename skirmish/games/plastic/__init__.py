"""WWII Plastic Skirmish, the flagship: armies, shots, battles, ten scenarios."""
