"""The commands of `hearts-by-mail`, for operators at a terminal: thin, over functions of the rooms below."""

from flask import Flask

from webapp.commands.acts import acts
from webapp.commands.data import backup, migrate, restore
from webapp.commands.games import games
from webapp.commands.mail import mail
from webapp.commands.overview import doctor, stats
from webapp.commands.players import players

COMMANDS = (migrate, backup, restore, mail, games, players, acts, doctor, stats)


def register(app: Flask) -> None:
    """Adds the commands to `app`."""
    for command in COMMANDS:
        app.cli.add_command(command)
