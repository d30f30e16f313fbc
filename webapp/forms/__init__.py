"""Reads and validates forms; every invalid field gets a message."""
