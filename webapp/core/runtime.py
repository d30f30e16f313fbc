"""The runtime of every process of the service: settings, clock, database, signers, the push key, the bell."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from random import Random, SystemRandom
from typing import Self

from webapp.core import data_folder
from webapp.core.addresses import Postmark, Purpose
from webapp.core.bell import Bell
from webapp.core.config import Settings
from webapp.core.database import Database
from webapp.core.eras import Restoration, restorations
from webapp.core.push_key import PushKey
from webapp.core.tokens import Signer


@dataclass(frozen=True)
class Runtime:
    settings: Settings
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    chance: Random = field(default_factory=SystemRandom, repr=False)  # deals; nobody can foresee the system's

    @classmethod
    def for_settings(cls, settings: Settings) -> Self:
        """A runtime on these settings. Makes the data directory if it is missing, and closes it to other users."""
        data_folder.prepare(settings.data_dir)
        return cls(settings)

    @cached_property
    def database(self) -> Database:
        return Database.at(self.settings.database)

    @cached_property
    def keys(self) -> list[str]:
        """The secret keys, newest first; a process keeps those that it began with."""
        return self.settings.keys()

    @cached_property
    def signer(self) -> Signer:
        return Signer(self.keys, self.settings.address, self.eras)

    @cached_property
    def postmark(self) -> Postmark:
        return Postmark(self.keys, self.settings.incoming_domain, self.eras, self.settings.before_signature)

    def address_in_mail(self, purpose: Purpose, letter_id: int) -> str | None:
        """The address of a letter that its mail names; None if none is to be named.

        That is the signed one, or for replies the mailbox's own if that gets no other mail: its Message-ID is then how
        an answer finds the letter.
        """
        if not self.settings.incoming_domain:
            return None
        if self.settings.keeps_signatures:
            return self.postmark.address(purpose, letter_id)
        return self.settings.reply_mailbox if purpose is Purpose.REPLY else None

    def eras(self) -> tuple[Restoration, ...]:
        """The restores of the database; a process keeps those that it began with, for none is made while one runs."""
        return self._restorations

    @cached_property
    def _restorations(self) -> tuple[Restoration, ...]:
        return restorations(self.database)

    @cached_property
    def push_key(self) -> PushKey | None:
        """The key that signs notifications; None where the service sends none."""
        return self.settings.push_key()

    @cached_property
    def bell(self) -> Bell:
        return Bell(self.settings)
