"""Checks for the operator: `hearts-by-mail mail check`."""
