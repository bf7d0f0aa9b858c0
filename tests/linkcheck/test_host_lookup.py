"""Which hosts are not requested: names that do not exist, and everything that leads to a private address."""

import socket
from collections.abc import Sequence

import pytest

from contentsync.linkcheck.host_lookup import HostState, host_of, look_up, system_lookup


def state(*addresses: str) -> HostState:
    return look_up(["host.dev"], lambda host: addresses)["host.dev"]


@pytest.mark.parametrize(
    "address",
    [
        *("10.1.2.3", "172.16.0.1", "192.168.1.1", "127.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("::1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1"),
    ],
)
def test_a_name_of_a_private_address_is_private(address: str) -> None:
    assert state(address) is HostState.PRIVATE
    assert state("93.184.215.14", address) is HostState.PRIVATE


@pytest.mark.parametrize("addresses", [["93.184.215.14"], ["2606:2800:21f:cb07::1"], ["::ffff:93.184.215.14"]])
def test_a_name_of_public_addresses_is_public(addresses: Sequence[str]) -> None:
    assert state(*addresses) is HostState.PUBLIC


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), HostState.MISSING),
        (socket.gaierror(socket.EAI_AGAIN, "later"), HostState.UNKNOWN),
        (socket.gaierror(socket.EAI_FAIL, "failed"), HostState.UNKNOWN),
        (OSError("no network"), HostState.UNKNOWN),
        (UnicodeError("label too long"), HostState.UNKNOWN),
    ],
)
def test_only_a_name_that_does_not_exist_is_missing(error: Exception, expected: HostState) -> None:
    def fail(host: str) -> Sequence[str]:
        raise error

    assert look_up(["host.dev"], fail) == {"host.dev": expected}


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "0x7f.1", "2130706433", "::1"])
def test_every_spelling_of_this_machine_is_private(host: str) -> None:
    assert look_up([host], system_lookup)[host] is HostState.PRIVATE


def test_each_host_is_looked_up_once() -> None:
    asked: list[str] = []
    look_up(["b.dev", "a.dev", "b.dev"], lambda host: asked.append(host) or ["93.184.215.14"])  # type: ignore[func-returns-value]
    assert sorted(asked) == ["a.dev", "b.dev"]


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://A.dev:8443/x", "a.dev"),
        ("https://bücher.dev/", "xn--bcher-kva.dev"),
        ("http://[2001:DB8::1]:80/", "2001:db8::1"),
    ],
)
def test_the_host_of_an_address_is_in_ascii(address: str, host: str) -> None:
    assert host_of(address) == host
