#!/bin/sh
# itsdangerous 2.2.0: a token that another machine signed two seconds ago by a clock that is three seconds ahead raises
# SignatureExpired ("Signature age -1 < 0 seconds"), as if it were too old, wherever `max_age` is given. Without
# `max_age` the same token is valid.
# What it means for us: `webapp/core/tokens.py` takes tokens whose time lies up to some minutes ahead.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet itsdangerous==2.2.0 time-machine==3.6.0
"$folder/venv/bin/python" - <<'PYTHON'
from datetime import UTC, datetime, timedelta

import time_machine
from itsdangerous import SignatureExpired, URLSafeTimedSerializer

now = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
signer = URLSafeTimedSerializer("a secret", salt="a purpose")
with time_machine.travel(now + timedelta(seconds=1), tick=False):
    token = signer.dumps(7)
with time_machine.travel(now, tick=False):
    print("without max_age:", signer.loads(token))
    try:
        found = repr(signer.loads(token, max_age=3600))
    except SignatureExpired as error:
        found = f"SignatureExpired: {error}"
    print("with max_age=3600:", found)
assert found == "SignatureExpired: Signature age -1 < 0 seconds", "itsdangerous behaves differently"
PYTHON
