"""The measure of how public delivery reports are taken: with reports of our own in the place of a collection."""

import pytest

from bench import reports
from tests.webapp.replies.reports import reports as own_reports


@pytest.fixture
def folder(tmp_path):
    raws = {"hard": "dsn_11", "ours": "aol_01", "late": "dsn_06", "soft": "qmail_02"}
    for meaning, name in raws.items():
        raw = next(one.raw for one in own_reports() if one.meaning == meaning)
        (tmp_path / f"{name}.txt").write_bytes(raw)
    return tmp_path


def test_each_report_is_in_one_half(folder):
    looked_at, aside = reports.halves(folder)
    assert sorted(looked_at + aside) == ["aol_01", "dsn_06", "dsn_11", "qmail_02"]
    assert len(aside) == 2


def test_the_shares_of_both_halves_are_printed(folder, capsys):
    reports.main(folder)
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in said] == ["looked at", "put aside"]
    assert all("ours counted 0 of" in line and "late as failed 0 of" in line for line in said)
    assert sum("hard as hard 1 of 1" in line for line in said) == 1


def test_no_report_has_two_meanings():
    names = [name for all_of in reports.MEANINGS.values() for name in all_of.split()]
    assert len(set(names)) == len(names) > 100
