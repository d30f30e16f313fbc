"""The cast of the samples of pages and mails, and the time at which they are looked at."""

from datetime import UTC, datetime

from hearts.seats import Seat

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
CAST = ("Ann", "Bo", "Cy", "Di")
CROWD = ("Ann", "Bo", "Cy", "Di", "Emil", "Fatima", "Gus", "Henrike", "Ida", "Joost", "Kai")
READER = Seat(3)  # who reads a page or a mail that is for one player: Di
NASTY = ('<b>"Ann"</b>', "Bo & Sons' \\", "Wilhelmina-Alexandra von Hohenstein-Bargo", "{{ 7 * 7 }}")
