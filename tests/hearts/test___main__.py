"""`python -m hearts`: what `replay`, `new` and `choose` print, on which stream, with which exit status."""

import json
import subprocess
import sys

import pytest

from hearts.__main__ import main
from hearts.record import parse_record, record_of, record_text
from hearts.rules import Rules, preset_rules
from tests.hearts.recorded import CAST, END, RULES, STEPS, TURNS, recorded, spoilt
from tests.servers import ROOT

PLAY = {
    "rules": {"preset": "classic"}, "hand": 2, "dealer": 3, "seat": 1, "totals": [4, 0, 19, 3],
    "stage": "play", "pass": "right", "given": "AS KS 9D", "received": "2H 7C 7D",
    "held": "7C JC 4D 7D QD 2H TH 3S 4S 5S 6S 2D", "leader": 0, "plays": "2C 5C KC AC 8D 3D", "kitty": None,
}  # fmt: skip


def choose(lines, *options):
    command = [sys.executable, "-m", "hearts", "choose", *options]
    return subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=120, check=False)


def test_each_line_is_answered_and_an_invalid_one_stops_nothing():
    good = json.dumps(PLAY)
    run = choose(f"{good}\nnonsense\n[]\n{good}\n", "--level", "rule")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert (run.returncode, run.stderr) == (0, "")
    assert [sorted(answer)[0] for answer in answers] == ["card", "error", "error", "card"]
    assert answers[0] == answers[3]
    assert answers[0]["card"] in PLAY["held"].split()
    assert answers[0]["reason"]


def test_the_same_seed_gives_the_same_answer_and_costs():
    once, again = (choose(json.dumps(PLAY), "--ms", "20", "--seed", "7").stdout for _ in range(2))
    assert once == again
    assert set(json.loads(once)["expected"]) == {"2D", "4D", "7D", "QD"}


@pytest.mark.parametrize("options", [("--level", "genius"), ("--ms", "0"), ("--ms", "-1"), ("--seed", "x")])
def test_unknown_options_are_rejected(options):
    run = choose("", *options)
    assert run.returncode == 2
    assert options[0] in run.stderr
    assert "Traceback" not in run.stderr


def test_lines_have_their_keys_in_a_fixed_order(tmp_path, capsys):
    file = tmp_path / "game.json"
    file.write_text(record_text(record_of(RULES, CAST, TURNS[:10])))
    assert main(["replay", str(file)]) == 0
    deal, play, *_, game = capsys.readouterr().out.splitlines()
    dealer = TURNS[0].dealer
    assert deal == f'{{"event":"deal","hand":1,"dealer":{dealer},"pass":"left"}}'
    seat = STEPS[5][0].to_act[0]
    assert play == f'{{"event":"play","hand":1,"trick":1,"seat":{seat},"card":"2C","legal":["2C"]}}'
    assert list(json.loads(game)) == ["event", "hands", "over", "totals", "winners", "stage", "to_act", "legal"]


@pytest.mark.parametrize(
    "text", ["", "[]", json.dumps({**recorded(TURNS), "version": 2}), json.dumps(spoilt(2, plays="2C\n1X"))]
)
def test_an_error_of_form_prints_only_one_line_of_error(replay, text):
    status, events, err = replay(text)
    assert (status, events) == (2, [])
    assert err.count("\n") == 1


def test_binary_and_missing_files_are_errors_of_form(tmp_path, capsys):
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{}")
    for file in ("bytes.json", "missing.json", "."):
        assert main(["replay", str(tmp_path / file)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1


def test_a_record_is_read_from_standard_input():
    text = record_text(record_of(RULES, CAST, TURNS))
    run = subprocess.run([sys.executable, "-m", "hearts", "replay", "-"], input=text.encode(), capture_output=True)
    assert (run.returncode, run.stderr) == (0, b"")
    assert json.loads(run.stdout.splitlines()[-1])["totals"] == list(END.totals)


def test_a_closed_output_is_no_error():
    text = record_text(record_of(RULES, CAST, TURNS))
    with subprocess.Popen(
        [sys.executable, "-m", "hearts", "replay", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        process.stdin.write(text.encode())
        process.stdin.close()
        assert process.stderr.read() == b""


def test_new_prints_a_fresh_record(capsys):
    assert main(["new", "--preset", "cancellation", "--players", "7", "--seed", "3", "--sun", "true"]) == 0
    text = capsys.readouterr().out
    record = parse_record(text)
    assert record.rules == preset_rules("cancellation", players=7, sun=True)
    assert len(record.hands) == 1
    assert record_text(record) == text


def test_new_prints_a_record_that_the_seed_determines(capsys):
    texts = []
    for seed in ("5", "5", "6"):
        assert main(["new", "--seed", seed]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_a_new_record_can_be_replayed_and_played_on(capsys, replay):
    assert main(["new", "--seed", "5", "--preset", "rulebook", "--jack-points", "-10"]) == 0
    record = json.loads(capsys.readouterr().out)
    status, events, _ = replay(record)
    assert (status, events[-1]["stage"], events[-1]["legal"]) == (0, "play", ["2C"])
    record["hands"][0]["plays"] = "2C"
    assert replay(record)[1][-1]["to_act"] == [(events[-1]["to_act"][0] + 1) % 4]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--target", "9"], "target must be a whole number from 10 to 500\n"),
        (["--preset", "chess"], "preset must be classic, "),
        (["--players", "9"], "9 players need two packs"),
        (["--sun", "1"], "sun must be false or true\n"),
        (["--name", "Ann"], "4 players need 4 names, not 1\n"),
    ],
)
def test_new_rejects_rules_that_do_not_fit(capsys, options, sentence):
    assert main(["new", "--seed", "1", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(sentence)


def test_new_accepts_every_option(capsys):
    given = [f"--{name.replace('_', '-')}={str(value).lower()}" for name, value in vars_of(Rules(sun=True)).items()]
    assert main(["new", "--seed", "1", *given]) == 0
    assert parse_record(capsys.readouterr().out).rules == Rules(sun=True)


def vars_of(rules):
    return {name: getattr(rules, name) for name in type(rules).__slots__}
