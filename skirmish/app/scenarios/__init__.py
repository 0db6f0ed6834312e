"""The ten scenarios with their maps."""
