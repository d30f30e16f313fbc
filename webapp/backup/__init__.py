"""Backups: a folder with a copy of the database and the keys, made while everything runs, and their restoration."""
