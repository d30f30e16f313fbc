"""The command line: `python -m hearts replay FILE` checks a game record, `new` makes one, `choose` asks the robot.

Only this module of `hearts` does any input or output. Exit status 0: no fault; 1: a fault of play; 2: a fault of form.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from hearts.check import Fault, events
from hearts.deal import deal
from hearts.record import NotARecord, parse_record, record_of, record_text
from hearts.robot import Level, answers, warm_up
from hearts.rules import OPTIONS, BadRules, Preset, choices, preset_rules
from hearts.seats import Seat

FAULT_OF_PLAY = 1
FAULT_OF_FORM = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    asked = _parser().parse_args(arguments)
    try:
        status: int = asked.run(asked)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; a flush at exit must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAULT_OF_PLAY
    return status


def replay(asked: argparse.Namespace) -> int:
    """Checks the record in a file, `-` for standard input, and prints its events, one JSON object per line."""
    try:
        record = parse_record(_text_of(asked.file))
    except (NotARecord, OSError, UnicodeDecodeError) as error:
        return _complain(error, FAULT_OF_FORM)
    try:
        for event in events(record):
            sys.stdout.write(json.dumps(event, separators=(",", ":")) + "\n")
    except Fault as error:
        sys.stdout.flush()
        return _complain(error, FAULT_OF_PLAY)
    return 0


def new(asked: argparse.Namespace) -> int:
    """Prints a record of one freshly dealt hand; the seed determines the cards and the first dealer."""
    options = {name: getattr(asked, name) for name in OPTIONS[1:] if getattr(asked, name) is not None}
    try:
        rules = preset_rules(asked.preset, **options)
    except BadRules as error:
        return _complain(error, FAULT_OF_FORM)
    names = asked.name or [f"Seat {seat}" for seat in range(rules.players)]
    if len(names) != rules.players:
        return _complain(f"{rules.players} players need {rules.players} names, not {len(names)}", FAULT_OF_FORM)
    rng = random.Random(asked.seed)
    dealer = Seat(rng.randrange(rules.players))
    sys.stdout.write(record_text(record_of(rules, names, [deal(rules, dealer, rng)])))
    return 0


def choose(asked: argparse.Namespace) -> int:
    """Reads a position from each line of standard input, and prints a line with the robot's choice and reason."""
    warm_up()
    for answer in answers(sys.stdin.buffer, level=asked.level, ms=asked.ms, seed=asked.seed, clock=time.monotonic):
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    return 0


def _text_of(file: str) -> str:
    content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return content.decode("utf-8")


def _complain(error: object, status: int) -> int:
    sys.stderr.write(" ".join(str(error).split()) + "\n")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hearts", description="Game records of Hearts.")
    commands = parser.add_subparsers(dest="command", required=True)
    replaying = commands.add_parser("replay", help="check a record move by move")
    replaying.set_defaults(run=replay)
    replaying.add_argument("file", help="a game record, - for standard input")
    making = commands.add_parser("new", help="print a fresh record")
    making.set_defaults(run=new)
    making.add_argument("--seed", type=int, required=True, help="a whole number that decides on the deal")
    making.add_argument("--preset", default=str(Preset.CLASSIC), help=", ".join(Preset))
    making.add_argument("--name", action="append", help="a player's name, once for each seat")
    for option in OPTIONS[1:]:
        making.add_argument(f"--{option.replace('_', '-')}", dest=option, type=_value, help=_values(option))
    choosing = commands.add_parser("choose", help="say what the robot does, for each position on standard input")
    choosing.set_defaults(run=choose)
    choosing.add_argument("--level", type=Level, default=Level.STRONG, choices=list(Level), help="how strong it is")
    choosing.add_argument("--ms", type=_milliseconds, help="how long it may think, if not as long as its level does")
    choosing.add_argument("--seed", type=int, default=0, help="a whole number: the same one, the same choice")
    return parser


def _milliseconds(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"{word!r} is no number of milliseconds")
    return int(word)


def _value(word: str) -> str | int | bool:
    """A command-line argument as the value of an option: a boolean, a whole number, or a string."""
    if word in ("true", "false"):
        return word == "true"
    try:
        return int(word)
    except ValueError:
        return word


def _values(option: str) -> str:
    values = [str(value).lower() for value in choices(option)]
    return f"{values[0]} to {values[-1]}" if len(values) > 8 else ", ".join(values)


if __name__ == "__main__":
    sys.exit(main())
