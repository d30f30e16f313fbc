"""Checks for the operator: `flask --app webapp mail check`."""
