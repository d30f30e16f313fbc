"""The setting for mail about turns, in words: when we email a player about theirs."""

from webapp.models import Frequency, PlayerRow


def mail_setting(player: PlayerRow) -> str:
    """Says to the player when we email them about their turns."""
    if player.push_only:
        return "While a device tells you, no email asks for your turns."
    match player.frequency:
        case Frequency.EVERY:
            return "We email you when it's your turn."
        case Frequency.DAILY:
            return f"We email you once a day, at {player.daily_at:02}:00."
        case Frequency.LAST:
            return "We email you only before a deadline."
