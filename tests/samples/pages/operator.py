"""The operator's page, when all is well or much is not."""

from tests.samples.cast import NOW
from tests.samples.rendering import PageSample
from webapp.health.overview import Figure
from webapp.health.readiness import Check
from webapp.pages.operator import (
    ActLine,
    FailedLine,
    OperatorPage,
    OperatorSheet,
    RunningLine,
    SilencedLine,
    WaitingLine,
    check_line,
)
from webapp.presentation.timestamps import timestamp


def pages() -> dict[str, PageSample]:
    return {
        "operator": OperatorPage(sheet=_sheet(is_in_order=True)),
        "operator-trouble": OperatorPage(sheet=_sheet(is_in_order=False)),
    }


def _sheet(*, is_in_order: bool) -> OperatorSheet:
    late = 0 if is_in_order else 4000
    checks = [
        Check("disk", True, {"free_bytes": 25_000_000_000}),
        Check("broker", is_in_order),
        Check("games", is_in_order, {"waiting": late // 100, "oldest_seconds": late}),
        Check("scheduler", is_in_order, {"seen_seconds_ago": 7 + late}),
        Check("worker", True, {"seen_seconds_ago": 9}),
        Check("database", True, {"milliseconds": 1.2}),
        Check("migrations", True, {"version": "0017", "newest": "0017"}),
    ]
    figures = [Figure("players", 1234), Figure("turns within a day", 98765)]
    due = timestamp(NOW, NOW, "Europe/Berlin")
    games = [RunningLine("Ann's table", 4, due, not is_in_order), RunningLine("Bo's table", 12, None, False)]
    waiting = [
        WaitingLine(123458, "score_sheet", due, f"tried 3 times: 451 4.7.1 <(an address)>: {'later ' * 12}"),
        WaitingLine(1234567, "turn", due, ""),
    ]
    failed = [FailedLine(123456, "turn", f"550 5.1.1 <(an address)>: {'unknown ' * 12}")]
    silenced = [SilencedLine(12, True, due), SilencedLine(1234567, False, due)]
    acts = [
        ActLine("games pause --off", "game 123456", "operations", due),
        ActLine("mail hold", "", "ann@example.org", due),
    ]
    troubles = ([], [], [], []) if is_in_order else (silenced, waiting, failed, acts)
    return OperatorSheet([check_line(check) for check in checks], figures, games, *troubles, is_held=not is_in_order)
