"""Backups: a folder with a copy of the database and of the keys, made while everything runs, and restored from."""
