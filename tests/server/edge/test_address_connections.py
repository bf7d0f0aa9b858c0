"""One address does not get all connections."""

from contentsync.server.edge.address_connections import CONNECTIONS, AddressConnections
from contentsync.server.edge.forwarded import TrustedProxies

from .listening import GET, Listening, run, until


def bound(most: int, *trusted: str) -> AddressConnections:
    return AddressConnections(most, TrustedProxies(trusted))


def test_an_address_that_has_all_its_connections_is_refused_another_until_one_ends() -> None:
    async def meet(server: Listening) -> None:
        open_ = [await server.connect() for _ in range(3)]
        await until(lambda: len(server.state.connections) == 3)
        refused = await server.ask(GET)
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"Too many connections from this address" in refused
        open_[0][1].close()
        await until(lambda: len(server.state.connections) == 2)
        assert (await server.ask(GET)).startswith(b"HTTP/1.1 200 ")
        for _, writer in open_:
            writer.close()

    run(meet, state={CONNECTIONS: bound(3)})


def test_a_refused_connection_is_not_counted_against_those_that_follow() -> None:
    async def meet(server: Listening) -> None:
        _, writer = await server.connect()
        await until(lambda: len(server.state.connections) == 1)
        for _ in range(5):
            assert (await server.ask(GET)).startswith(b"HTTP/1.1 503 ")
        writer.close()
        await until(lambda: not server.state.connections)
        assert (await server.ask(GET)).startswith(b"HTTP/1.1 200 ")

    run(meet, state={CONNECTIONS: bound(1)})


def test_a_trusted_proxy_has_as_many_as_a_process_takes() -> None:
    counted = bound(1, "10.0.0.0/8")
    assert [counted.open("10.0.0.1") for _ in range(3)] == [True] * 3


def test_addresses_of_one_ipv6_network_count_together_and_others_apart() -> None:
    counted = bound(2)
    assert [counted.open(f"2001:db8::{number}") for number in range(3)] == [True, True, False]
    assert counted.open("2001:db8:0:1::1")
    assert counted.open("192.0.2.1")
    counted.close("2001:db8::1")
    assert counted.open("2001:db8::9")
