"""Hosts of many kinds on this machine, on simulated days, which real lychee requests: live ones and dead ones.

Each host has an IP address of its own in 127.0.0.0/8, so that lychee treats it as a host, and takes the place of one
kind of site in `BEHAVIOURS`. A host with a name has one in the lookup of the simulation only.
"""

import asyncio
import datetime
import random
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from contentsync.linkcheck.link_results import LinkResult
from contentsync.linkcheck.lychee_run import LycheeOptions, run_lychee

FIRST_DAY = datetime.date(2026, 11, 2)
DAYS = 14
LAST_DEATH = 6  # the last day on which a host may die so that the rule can find it by the end

# How a host serves a day.
HANG, RESET, CLOSE, GARBAGE = "hang", "reset", "close", "garbage"  # in place of an answer
REFUSE = "refuse"  # the connection
NO_NAME, NO_LOOKUP = "no name", "no lookup"  # of the host
GOOD, EXPIRED, FOREIGN = "good", "expired", "foreign"  # certificates; the answer is 200


class Page(NamedTuple):
    """An answer: the status, and the target of a redirect."""

    status: int
    location: str = ""
    header: str = ""


Served = Page | str
OK = Page(200)
Behaviour = Callable[[int, int], Served]  # of the day, and of the day on which the host dies


def always(served: Served) -> Behaviour:
    """Return the behaviour of a host that is the same each day."""
    return lambda day, death: served


def during(days: range, served: Served, otherwise: Served = OK) -> Behaviour:
    """Return the behaviour of a host that has an outage, which ends."""
    return lambda day, death: served if day in days else otherwise


def from_death(served: Served, before: Served = OK) -> Behaviour:
    """Return the behaviour of a host that dies."""
    return lambda day, death: served if day >= death else before


LIVE: Mapping[str, Behaviour] = {
    "works": always(Page(200)),
    "empty answer": always(Page(204)),
    "moved, 301": always(Page(301, "/new")),
    "moved, 308": always(Page(308, "/new")),
    "redirected for now": always(Page(302, "/new")),
    "redirected to the start page": always(Page(301, "/")),
    "another session each day": lambda day, death: Page(301, f"/session/{day}"),
    "a loop of redirects": always(Page(301, "")),
    "404 on two of three days": lambda day, death: Page(404 if day % 3 else 200),
    "404 for six days": during(range(3, 9), Page(404)),
    "410 for six days, after a move": during(range(4, 10), Page(410), Page(301, "/new")),
    "needs a login": always(Page(401)),
    "forbids programs": always(Page(403)),
    "a challenge, 403": always(Page(403, header="cf-mitigated: challenge")),
    "a challenge, 503": always(Page(503, header="Server: cloudflare")),
    "too many requests": always(Page(429, header="Retry-After: 1")),
    "refuses programs with 999": always(Page(999)),
    "refuses programs with 400": always(Page(400)),
    "always 500": always(Page(500)),
    "404 on the first day, then 502": lambda day, death: Page(502 if day else 404),
    "never answers": always(HANG),
    "resets connections": always(RESET),
    "closes connections": always(CLOSE),
    "garbage": always(GARBAGE),
    "refuses connections for six days": during(range(2, 8), REFUSE),
    "its name is lost for six days": during(range(4, 10), NO_NAME),
    "its name cannot be looked up": during(range(12), NO_LOOKUP),
    "an expired certificate for six days": during(range(5, 11), EXPIRED, GOOD),
}
DEAD: Mapping[str, Behaviour] = {
    "404": from_death(Page(404)),
    "410": from_death(Page(410)),
    "404, and 503 on some days": lambda day, death: Page(200 if day < death else 503 if day % 4 == 3 else 404),
    "404 behind a redirect": from_death(Page(301, "/missing")),
    "no such name": from_death(NO_NAME),
    "refused connections": from_death(REFUSE),
    "the certificate of another host": from_death(FOREIGN, GOOD),
}
BEHAVIOURS = {**LIVE, **DEAD}


@dataclass(frozen=True)
class SimulatedHost:
    """A host, and the day on which it dies, if its behaviour is that of a dead one."""

    number: int
    behaviour: str
    death: int

    @property
    def ip(self) -> str:
        """The IP address, which no other host has."""
        return f"127.1.{self.number // 250}.{1 + self.number % 250}"

    @property
    def is_dead(self) -> bool:
        """Whether the host dies."""
        return self.behaviour in DEAD

    @property
    def name(self) -> str:
        """The name of a host that has one; else ""."""
        return f"host-{self.number}.dev" if "name" in self.behaviour else ""

    def served(self, day: int) -> Served:
        """Return how the host serves a day."""
        return BEHAVIOURS[self.behaviour](day, self.death)

    @property
    def has_listener(self) -> bool:
        """Whether the host needs a port of its own, which is closed on some days or has a certificate."""
        return any(self.served(day) in (REFUSE, GOOD, EXPIRED, FOREIGN) for day in range(DAYS))


def make_hosts(count: int, seed: int) -> list[SimulatedHost]:
    """Return hosts with all behaviours in turn; they die on days that the seed decides."""
    draw = random.Random(seed)
    names = [*BEHAVIOURS]
    return [SimulatedHost(number, names[number % len(names)], draw.randint(0, LAST_DEATH)) for number in range(count)]


@dataclass
class Simulation:
    """Serves hosts on the ports of this machine. `day` is the day that they serve."""

    hosts: Sequence[SimulatedHost]
    folder: Path  # for certificates
    day: int = 0
    _by_ip: dict[str, SimulatedHost] = field(init=False)
    _by_name: dict[str, SimulatedHost] = field(init=False)
    _ports: tuple[int, int] = (0, 0)
    _listeners: list[asyncio.Server] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._by_ip = {host.ip: host for host in self.hosts}
        self._by_name = {host.name: host for host in self.hosts if host.name}
        self._certificates = Certificates(self.folder, [host.ip for host in self.hosts if host.has_listener])

    def address(self, host: SimulatedHost) -> str:
        """Return the address of a page of a host."""
        is_secure = any(host.served(day) in (GOOD, EXPIRED, FOREIGN) for day in range(DAYS))
        scheme, port = "https" if is_secure else "http", self._ports[1 if host.has_listener else 0]
        return f"{scheme}://{host.name or host.ip}:{port}/page/{host.number}"

    def lookup(self, host: str) -> Sequence[str]:
        """Return the address of a name on the day. Raise socket.gaierror."""
        found = self._by_name.get(host)
        served = found.served(self.day) if found else ""
        if served == NO_NAME:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if served == NO_LOOKUP:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return [found.ip if found else host]

    def run(self, addresses: Sequence[str], options: LycheeOptions, seconds: float) -> dict[str, LinkResult]:
        """Run lychee, which cannot look up the names of the simulation."""
        renamed = {self._with_ip(address): address for address in addresses}
        results = run_lychee([*renamed], options, seconds)
        return {renamed[address]: result for address, result in results.items()}

    def _with_ip(self, address: str) -> str:
        name = address.split("/")[2].partition(":")[0]
        return address.replace(name, self._by_name[name].ip, 1) if name in self._by_name else address

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve the hosts in a thread."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        self._loop = loop
        try:
            self._call(self._open())
            yield
        finally:
            self._call(self._close_listeners())
            self._call(self._stop())
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def begin(self, day: int) -> None:
        """Serve a day from now on."""
        self.day = day
        self._call(self._reopen())

    def _call(self, coroutine: "asyncio.Future[None] | object") -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()  # type: ignore[arg-type]

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._answer, "0.0.0.0", 0, backlog=1000)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            second = free.getsockname()[1]
        self._ports = self._server.sockets[0].getsockname()[1], second

    async def _stop(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _reopen(self) -> None:
        """Open the ports that are not refused on the day, with the certificates of the day."""
        await self._close_listeners()
        for host in self.hosts:
            served = host.served(self.day)
            if host.has_listener and served != REFUSE:
                context = self._certificates.contexts.get(served) if isinstance(served, str) else None
                self._listeners.append(await asyncio.start_server(self._answer, host.ip, self._ports[1], ssl=context))

    async def _close_listeners(self) -> None:
        for listener in self._listeners:
            listener.close()
        self._listeners.clear()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = self._by_ip[writer.get_extra_info("sockname")[0]]
        with suppress(asyncio.IncompleteReadError, OSError):
            head = await reader.readuntil(b"\r\n\r\n")
            await self._write(host, head.split(b" ")[1].decode(), reader, writer)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def _write(
        self, host: SimulatedHost, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        served = self._page(host, path)
        if served == HANG:
            await reader.read()  # until the client gives up
        elif served == RESET:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        elif served == GARBAGE:
            writer.write(b"garbage\n\n")
        elif isinstance(served, Page):
            lines = [f"HTTP/1.1 {served.status} Simulated", "Content-Length: 0", "Connection: close", served.header]
            lines.append(f"Location: {served.location or path}" if served.status in (301, 302, 308) else "")
            writer.write("\r\n".join([*filter(None, lines), "", ""]).encode())

    def _page(self, host: SimulatedHost, path: str) -> Served:
        """Return what a host serves at a path; the target of a redirect works, except `/missing`."""
        served = host.served(self.day)
        if path == "/missing":
            return Page(404)
        is_page = path.startswith("/page/")
        return served if is_page and not (isinstance(served, str) and served in (GOOD, EXPIRED, FOREIGN)) else Page(200)


class Certificates:
    """Certificates of an authority that only lychee's environment knows: `authority` is the file for SSL_CERT_FILE."""

    def __init__(self, folder: Path, ips: Sequence[str]) -> None:
        """Make the certificates of hosts, each of which is valid, has expired or belongs to another host."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "simulated hosts")])
        now = datetime.datetime.now(datetime.UTC)
        year = datetime.timedelta(days=365)

        def certificate(hosts: Sequence[str], end: datetime.datetime, *, is_authority: bool) -> bytes:
            names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(host)) for host in hosts])
            builder = (
                x509.CertificateBuilder()
                .subject_name(name if is_authority else x509.Name([]))
                .issuer_name(name)
                .public_key(key.public_key())
                .serial_number(x509.random_serial_number())
                .not_valid_before(end - 2 * year)
                .not_valid_after(end)
                .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
                .add_extension(names, critical=not is_authority)
            )
            return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.authority = folder / "authority.pem"
        self.authority.write_bytes(certificate(["127.0.0.1"], now + year, is_authority=True))
        self.contexts: dict[str, ssl.SSLContext] = {}
        for kind, hosts, end in (
            (GOOD, ips, now + year),
            (EXPIRED, ips, now - year / 2),
            (FOREIGN, ["127.0.0.1"], now + year),
        ):
            file = folder / f"{kind}.pem"
            file.write_bytes(certificate(hosts or ["127.0.0.1"], end, is_authority=False) + secret)
            self.contexts[kind] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.contexts[kind].load_cert_chain(file)
