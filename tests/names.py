"""The test's own name server, on the loopback, for the records that an operator must create."""

import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
from dns.resolver import Resolver

from tests.servers import free_port


@contextmanager
def name_server(records: Mapping[tuple[str, str], list[str]]) -> Iterator[Resolver]:
    """A resolver that knows these records, by name and kind, and no others."""

    class Answer(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            content, line = self.request
            query = dns.message.from_wire(content)
            (question,) = query.question
            name = question.name.to_text(omit_final_dot=True)
            found = records.get((name, dns.rdatatype.to_text(question.rdtype)))
            answer = dns.message.make_response(query)
            answer.flags |= dns.flags.RA
            if found:
                answer.answer.append(dns.rrset.from_text_list(question.name, 60, "IN", question.rdtype, found))
            else:
                answer.set_rcode(dns.rcode.NXDOMAIN)
            line.sendto(answer.to_wire(), self.client_address)

    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        yield _resolver(server.server_address[1])
        server.shutdown()
        thread.join()


def deaf_resolver() -> Resolver:
    """A resolver whose server does not answer."""
    return _resolver(free_port())


def _resolver(port: int) -> Resolver:
    resolver = Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], port
    return resolver
