"""The command line: `python -m hearts replay FILE` checks a game record, `verify` also whether its deals are fair.

`new` makes a record, `choose` asks the robot.

Only this module of `hearts` does any input or output. Exit status 0: no fault; 1: a fault of play or of a deal; 2: a
fault of form; 3: no fault, but no proof of the deals either.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from hearts.check import Fault, events, record_turns
from hearts.deal import deal
from hearts.fair import DIGEST, HANDS
from hearts.record import NotARecord, Record, parse_record, record_of, record_text
from hearts.robot import Level, answers, warm_up
from hearts.rules import OPTIONS, BadRules, Preset, choices, preset_rules
from hearts.seats import Seat
from hearts.verify import BadMailbox, Mailbox, Refused, Verdict, verify

FAULT_OF_PLAY = 1
FAULT_OF_FORM = 2
NOT_PROVED = 3


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


def verify_deals(asked: argparse.Namespace) -> int:
    """Checks the record in a file, `-` for standard input, and prints a line on its deals and one on its turns."""
    box = Mailbox(
        asked.root, asked.seat, asked.words, asked.since, asked.until, asked.before, dict(asked.list), asked.restored
    )
    try:
        record = parse_record(_text_of(asked.file))
        status, deals = _deals_line(record, box)
    except (NotARecord, BadMailbox, OSError, UnicodeDecodeError) as error:
        return _complain(error, FAULT_OF_FORM)
    try:
        turns = f"{len(record_turns(record))} in {len(record.hands)} hands, by the rules"
    except Fault as error:
        status, turns = FAULT_OF_PLAY, f"refused: {error}"
    sys.stdout.write(f"deals: {deals}\nturns: {turns}\n")
    return status


def _deals_line(record: Record, box: Mailbox) -> tuple[int, str]:
    """The exit status, and what the deals prove. Raises BadMailbox."""
    try:
        found = verify(record, box)
    except Refused as error:
        return FAULT_OF_PLAY, f"refused: {error}"
    return NOT_PROVED if found.missing else 0, _verdict_text(found)


def _verdict_text(found: Verdict) -> str:
    agree = f"{found.hands} agree with the seal"
    said = ["not proved", *found.missing, agree] if found.missing else [f"proved, {agree} and your words"]
    return "; ".join([*said, *found.notes])


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
    verifying = commands.add_parser("verify", help="check that nobody chose the cards of a record")
    verifying.set_defaults(run=verify_deals)
    verifying.add_argument("file", help="a game record, - for standard input")
    verifying.add_argument("--root", type=_digest, metavar="HEX", help="the seal that you were sent")
    verifying.add_argument("--seat", type=int, help="your seat, from 0")
    verifying.add_argument("--words", help="the words that you gave")
    verifying.add_argument("--since", type=int, default=1, metavar="HAND", help="the first hand with your words")
    verifying.add_argument("--until", type=int, default=HANDS, metavar="HAND", help="the last hand that you played")
    verifying.add_argument("--before", type=_digest, metavar="HEX", help="the list that your form for words showed")
    verifying.add_argument(
        "--list", type=_hand_list, action="append", default=[], metavar="HAND:HEX", help="the list of a deal's mail"
    )
    verifying.add_argument(
        "--restored", type=int, action="append", default=[], metavar="HAND", help="the first hand after a restore"
    )
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


def _digest(word: str) -> bytes:
    if len(word) != 2 * DIGEST:
        raise argparse.ArgumentTypeError(f"{word!r} does not have {2 * DIGEST} digits")
    try:
        return bytes.fromhex(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not hex") from None


def _hand_list(word: str) -> tuple[int, bytes]:
    hand, _, digest = word.partition(":")
    return int(hand), _digest(digest)


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
