"""Sends requests over a few connections, each as soon as the last one is answered."""

import asyncio
import time
from collections.abc import Iterator
from urllib.parse import urlencode

Request = bytes


def get(path: str) -> Request:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode()


def post(path: str, **form: str) -> Request:
    """What a browser sends of a form on a page of the same site."""
    body = urlencode(form)
    heads = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{heads}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def a_second(port: int, requests: Iterator[Request], connections: int, seconds: float, status: int) -> float:
    """Responses a second, until the time or the requests are over. Each must have the `status`."""
    begun = time.perf_counter()
    answered = asyncio.run(_answered(port, requests, connections, seconds, status))
    return answered / (time.perf_counter() - begun)


async def _answered(port: int, requests: Iterator[Request], connections: int, seconds: float, status: int) -> int:
    until = time.monotonic() + seconds
    return sum(await asyncio.gather(*(_ask(port, requests, until, status) for _ in range(connections))))


async def _ask(port: int, requests: Iterator[Request], until: float, status: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    for request in requests:
        if time.monotonic() > until:
            break
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(f"http/1.1 {status}".encode()), head
        length = head.partition(b"content-length:")[2].partition(b"\r")[0]
        await reader.readexactly(int(length))
        answered += 1
    writer.close()
    await writer.wait_closed()
    return answered
