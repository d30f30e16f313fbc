"""`python -m bench.reports FOLDER`: how the delivery reports of a public collection are taken.

FOLDER is `tests/data` of the source package of flufl.bounce 6.0.0 (`pip download --no-deps --no-binary :all:
flufl.bounce==6.0.0`). What each means was judged by reading it. Prints the shares of each half: the rules were written
before anybody had looked at the second.
"""

import random
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.printing import say
from webapp.replies.bounces import bounce_of
from webapp.replies.received import parse_mail

SEED = 20260302
MEANINGS = {
    "hard": (
        "bounce_02 dsn_10 dsn_11 dsn_12 dsn_13 dsn_14 dsn_15 dsn_16 dsn_18 exim_01 groupwise_01 groupwise_02 "
        "llnl_01 microsoft_01 microsoft_02 microsoft_04 postfix_01 qmail_03 qmail_04 qmail_05 simple_04 "
        "simple_05 simple_06 simple_08 simple_11 simple_12 simple_13 simple_15 simple_19 simple_23 simple_25 "
        "simple_26 simple_27 simple_29 simple_30 simple_33 simple_34 simple_36 simple_39 simple_41 simple_43 "
        "smtp32_04 smtp32_06 smtp32_07 yahoo_03 yahoo_05 yahoo_06 yahoo_07 yahoo_08 yahoo_09 yahoo_10 "
        "yahoo_11 yahoo_13 yale_01"
    ),
    "ours": ("aol_01 dsn_03 simple_42"),
    "late": ("dsn_05 dsn_06 dsn_07 dsn_08 dsn_17 simple_03 simple_21 simple_22 simple_28 simple_35 simple_40"),
    "soft": (
        "bounce_01 bounce_03 caiwireless_01 dsn_01 dsn_02 dsn_04 dsn_09 dumbass_01 hotpop_01 microsoft_03 "
        "netscape_01 newmailru_01 postfix_02 postfix_03 postfix_04 postfix_05 qmail_01 qmail_02 qmail_06 "
        "qmail_07 sendmail_01 simple_01 simple_02 simple_07 simple_09 simple_10 simple_14 simple_16 simple_17 "
        "simple_18 simple_20 simple_24 simple_31 simple_32 simple_37 simple_38 simple_44 simple_45 sina_01 "
        "smtp32_01 smtp32_02 smtp32_03 smtp32_05 yahoo_01 yahoo_02 yahoo_04 yahoo_12"
    ),
    "none": ("groupwise_03 qmail_08"),
}
"""By meaning, the reports: the address is invalid; ours is the fault, or a policy; late; else no success; no report."""


def halves(folder: Path) -> tuple[list[str], list[str]]:
    """The names of the reports in `folder`: those that were looked at for the rules, and those that were not."""
    names = sorted(path.name for path in folder.iterdir())
    random.Random(SEED).shuffle(names)
    aside, looked_at = names[: len(names) // 2], names[len(names) // 2 :]
    return [Path(name).stem for name in looked_at], [Path(name).stem for name in aside]


def taken(raw: bytes) -> str:
    """The meaning that we read in a report at the bounce address."""
    bounce = bounce_of(parse_mail(raw), "", to_bounce_address=True)
    if bounce is None:
        return "none"
    if not bounce.is_failure:
        return "late"
    if bounce.is_hard:
        return "hard"
    return "ours" if bounce.verdict.fault.is_ours or bounce.verdict.fault.value == "mail" else "soft"


def shares(meanings: Mapping[str, str], found: Mapping[str, str]) -> str:
    """How many were taken for what matters, of the reports in `found`."""
    of = {
        kind: [found[name] for name, meant in meanings.items() if meant == kind and name in found] for kind in MEANINGS
    }
    others = [one for kind, all_of in of.items() if kind != "hard" for one in all_of]
    return (
        f"hard as hard {of['hard'].count('hard')} of {len(of['hard'])}; others as hard {others.count('hard')} of"
        f" {len(others)}; ours counted {sum(one in ('hard', 'soft') for one in of['ours'])} of {len(of['ours'])};"
        f" late as failed {sum(one != 'late' for one in of['late'])} of {len(of['late'])}"
    )


def main(folder: Path) -> None:
    meanings = {name: kind for kind, names in MEANINGS.items() for name in names.split()}
    for title, names in zip(("looked at", "put aside"), halves(folder), strict=True):
        found = {name: taken((folder / f"{name}.txt").read_bytes()) for name in names if name in meanings}
        say(f"{title}: {shares(meanings, found)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
