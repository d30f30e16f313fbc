"""Redis or Valkey as the broker: Kombu's transport, whose worker outlives a broker that is lost while it works.

A worker takes so many messages ahead, and no more until it has acknowledged some. Only when it takes the next does it
see that its connection is lost, and connects again. In Kombu, a message counts until the broker has confirmed its end:
if all had ended while the broker was away, the worker lived on and never asked for another.
"""

from typing import Any

from kombu.transport import redis


class QoS(redis.QoS):
    """Counts a message no more once it is worked on, even if the broker could not be told.

    Such a message comes again after the visibility timeout, unless the broker has forgotten it.
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
