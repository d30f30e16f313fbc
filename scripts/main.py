"""The command `hearts-by-mail`: it runs the whole service, one of its processes, or a command of an operator."""

import os
import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from click import Command, Group, version_option
from hearts_by_mail import run

from webapp.core import data_folder
from webapp.core.data_folder import DATABASE

if TYPE_CHECKING:
    from flask import Flask

MAKERS = ("migrate", "restore")  # commands that make a database
HELP = "Hearts by Mail: the card game Hearts, played over days by email."


def main() -> None:
    """Does what the arguments say. Data lies in the folder `var` where the command is given, unless DATA_DIR is set."""
    os.environ.setdefault("DATA_DIR", str(Path("var").absolute()))
    data_folder.load(Path(os.environ["DATA_DIR"]))
    processes = {name: line for name, line in run.read_procfile().items() if name != run.FIRST}
    match sys.argv[1:]:
        case [name] if name in processes:  # visitors wait while a process starts: it loads nothing twice
            if not os.environ.get("DATABASE_URL") and not os.path.exists(f"{os.environ['DATA_DIR']}/{DATABASE}"):
                exit_without_database()
            become(processes[name])
        case _:
            obey(processes)


def obey(processes: dict[str, str]) -> None:
    """Runs the service or a command of an operator, or prints what there is."""
    from flask.cli import ScriptInfo
    from hearts_by_mail import host

    from webapp.core.database import DatabaseDown
    from webapp.operators.commands import COMMANDS

    commands = Group(help=HELP)
    commands.add_command(Command("run", callback=start_all, help="Start the whole service and print its address."))
    commands.add_command(host.host)
    commands.add_command(Command("recipes", callback=name_recipes, help="Print the folder of the files for a machine."))
    for name, line in processes.items():
        become_it = partial(become, line)
        commands.add_command(Command(name, callback=become_it, help=f"Become the process {name} of the service."))
    for command in COMMANDS:
        commands.add_command(command)
    version_option(version("hearts-by-mail"), message="%(version)s", help="Print the version.")(commands)
    try:
        commands.main(prog_name="hearts-by-mail", obj=ScriptInfo(create_app=application, set_debug_flag=False))
    except DatabaseDown as error:
        sys.exit(f"The database does not answer: {error}.")


def application() -> "Flask":
    """The application for a command of an operator. Only those that make a database run where there is none."""
    from webapp import create_app

    if sys.argv[1:2] not in ([name] for name in MAKERS):
        exit_without_database()
    return create_app()


def exit_without_database() -> None:
    """Ends the command, with a sentence, if its database is a file that is not there."""
    from webapp.core.config import settings_or_exit
    from webapp.core.runtime import exit_if_missing

    exit_if_missing(settings_or_exit())


def start_all() -> None:
    """Runs the service until it ends or is stopped."""
    sys.exit(run.main())


def name_recipes() -> None:
    """Prints the folder with the units of systemd, their settings and the file for nginx."""
    run.say(str(run.ROOT / "deploy"))


def become(line: str) -> None:
    """Replaces this process by a command of the Procfile."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    os.chdir(run.FOLDER)
    os.execvpe("sh", ["sh", "-c", f"exec {line}"], {**run.GUNICORN, **os.environ, "PATH": path})


if __name__ == "__main__":
    main()
