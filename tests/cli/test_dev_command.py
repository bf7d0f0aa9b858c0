"""contentsync.cli.dev_command: where it listens."""

from contextlib import ExitStack

import pytest

from contentsync.cli.dev_command import PORTS, listen_locally
from contentsync.errors import UsageError


def test_dev_without_a_port_takes_the_next_free_one() -> None:
    with ExitStack() as stack:
        taken = [stack.enter_context(listen_locally(None)).getsockname() for _ in range(3)]
    assert {host for host, _ in taken} == {"127.0.0.1"}
    ports = [port for _, port in taken]
    assert ports == sorted(set(ports))
    assert set(ports) <= {*PORTS}


def test_dev_refuses_a_requested_port_that_is_taken() -> None:
    with listen_locally(0) as taken, pytest.raises(UsageError, match="cannot listen"):
        listen_locally(taken.getsockname()[1])
