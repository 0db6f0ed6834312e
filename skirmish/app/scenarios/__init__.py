"""The scenarios with their maps."""
