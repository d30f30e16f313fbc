"""The mail about what a host proposes: another pace, the end of the game, or a robot for a player."""

from dataclasses import dataclass

from webapp.games.clock import proposals
from webapp.presentation.proposal_text import ProposalLine, proposal_line
from worker.mails.mail import Mail, MailContext, at_table


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMail(MailContext):
    line: ProposalLine
    link: str


def context(mail: Mail) -> ProposedMail | None:
    """The context; None if the proposal is over."""
    here, letter, player = at_table(mail), mail.letter, mail.player
    proposal = proposals.of_key(here.table, letter.about or "")
    if proposal is None:
        return None
    line = proposal_line(here.table, here.seats, proposal, letter.player_id, player.time_zone, mail.runtime.now())
    return ProposedMail(**here.frame, line=line, link=f"{here.frame['table_link']}#proposed")
