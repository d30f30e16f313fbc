"""The database tables, a file for each subject. All timestamps are aware UTC.

The rooms that own them say how rows change: `games` (turns, talk, shares), `tables` and `players` (people), `accounts`
(sign-ins, addresses), `outbox` (letters), `inbox` (incoming mail) and `counts`. They import every name from here, so
that all tables are known before the first is used.
"""

from webapp.models.columns import (
    NOT_NOTED,
    Clock,
    EarlierPlayer,
    Grant,
    Grounds,
    KeptAhead,
    Lent,
    PaceTimes,
    Pause,
    Proposal,
    Proposed,
    Stands,
    Stop,
    Unattended,
    Vacation,
    Why,
)
from webapp.models.games import BookRow, DealtRow, GameRow, GameState, ReviewRow, SealRow, ShareRow, TurnRow, TurnSource
from webapp.models.mail import (
    NAMING,
    WAITING_QUESTION,
    InboundRow,
    LetterKind,
    LetterRow,
    LetterState,
    MailboxRow,
    PauseRow,
    WayInRow,
)
from webapp.models.operators import CountRow, HeartbeatRow, MailedRow, OperatorAct, OperatorActRow, RestorationRow
from webapp.models.players import AddressChangeRow, ChangeState, DeviceRow, Frequency, PlayerRow, Section, SignInRow
from webapp.models.tables import OfferState, SeatRow, SeatState, TableRow, TableState, Talk, TalkRow
