"""The ten scenarios to read in, with their maps."""
