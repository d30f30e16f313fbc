"""Redis or Valkey as the broker: Kombu's transport, mended so that a worker always connects again.

A worker fetches a limited number of messages in advance, and more only after it has acknowledged some. It notices a
lost connection when it fetches. Kombu counts a message until the broker has confirmed the acknowledgement. So a worker
that finished all its messages while the broker was down never fetched again.
"""

from typing import Any

from kombu.transport import redis


class QoS(redis.QoS):
    """Stops counting a message when its task is done, even if the broker could not be told.

    The broker delivers such a message again after the visibility timeout, unless it has forgotten it.
    """

    def ack(self, delivery_tag: Any) -> None:
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        finally:
            self._quick_ack(delivery_tag)

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]
        finally:
            self._quick_ack(delivery_tag)


class Channel(redis.Channel):
    QoS = QoS


class Transport(redis.Transport):
    Channel = Channel
