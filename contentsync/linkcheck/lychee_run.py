"""Run lychee over addresses, and read its JSON (docs/decisions/0040-lychee-checks-links.md).

The addresses are in a file in an empty folder, in which lychee also runs: no address is a word of a command line, and
no `lychee.toml` of the content is read, which could name a command to run.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import LocalFileError
from ..extra import LINKS
from .link_results import NOT_REPORTED, Hop, LinkResult, Outcome, answered, unanswered, works

_INPUT = "addresses.html"
# What lychee gets of the environment: no token, such as that of GitHub, which it would send to api.github.com.
_ENVIRONMENT = {
    *("PATH", "HOME", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
}
_LINK_CHECKS = (0, 2)  # exit codes of lychee: all links work, or some do not


@dataclass(frozen=True, slots=True)
class LycheeOptions:
    """How lychee requests addresses. Hosts see at most two requests at a time, and four in a second.

    `program` is its path; "": that of the extra.
    """

    timeout: int = 20  # seconds, for a request
    includes_private: bool = False
    concurrency: int = 32  # requests at a time
    retries: int = 1
    program: str = ""

    @property
    def words(self) -> list[str]:
        """The options of the command line."""
        return [
            *("--format", "json", "--verbose", "--no-progress", "--mode", "plain"),  # verbose: with what works
            *("--scheme", "http", "--scheme", "https"),
            *("--timeout", str(self.timeout), "--max-retries", str(self.retries), "--retry-wait-time", "2"),
            *("--max-concurrency", str(self.concurrency)),
            *("--host-concurrency", "2", "--host-request-interval", "250ms"),
            *(() if self.includes_private else ("--exclude-all-private",)),
        ]


def run_lychee(addresses: Sequence[str], options: LycheeOptions, seconds: float) -> dict[str, LinkResult]:
    """Return the result of each address; none if `seconds` were not enough.

    Raise LocalFileError if lychee cannot check links, and UsageError if it is not installed.
    """
    if not options.program:
        LINKS.require()
    program = options.program or LINKS.find_program() or LINKS.program
    with TemporaryDirectory() as folder:
        lines = "".join(f'<a href="{escape(address)}">link</a>\n' for address in addresses)
        Path(folder, _INPUT).write_text(lines, encoding="utf-8")
        environ = {name: value for name, value in os.environ.items() if name.upper() in _ENVIRONMENT}
        try:
            ran = subprocess.run(  # noqa: S603  # all words are ours
                [program, *options.words, "--", _INPUT],
                cwd=folder,
                env=environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {}
    if ran.returncode not in _LINK_CHECKS:
        reason = ran.stderr.decode(errors="replace").strip().splitlines()[:1]
        raise LocalFileError(f"lychee ended with {ran.returncode}: {''.join(reason)}", "nothing was written")
    try:
        return dict.fromkeys(addresses, NOT_REPORTED) | dict(read_results(addresses, json.loads(ran.stdout)))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        hint = "nothing was written; install the version of lychee that contentsync[links] names"
        raise LocalFileError("lychee printed another JSON than expected", hint) from error


def read_results(addresses: Sequence[str], report: Mapping[str, Any]) -> Iterator[tuple[str, LinkResult]]:
    """Yield the result of each address in a report. An item has the line of its address in the input, from 1 on.

    lychee also reports the address itself, but normalised.
    """
    for name in ("success_map", "error_map", "timeout_map", "excluded_map"):
        for item in (item for items in report[name].values() for item in items):
            address = addresses[item["span"]["line"] - 1]
            yield address, _result(name, address, item)


def _result(name: str, address: str, item: Mapping[str, Any]) -> LinkResult:
    status = item["status"]
    if name == "excluded_map":
        return LinkResult(Outcome.SKIPPED, "lychee excludes it")
    if name == "success_map":
        return works(address, _hops(item))
    if "code" in status:
        return answered(status["code"], status["text"], _hops(item))
    return unanswered(status.get("details") or status["text"])


def _hops(item: Mapping[str, Any]) -> list[Hop]:
    """Return the redirects that lychee followed, in their order."""
    redirects = item.get("redirects") or {"redirects": ()}
    return [Hop(hop["code"], hop["url"]) for hop in redirects["redirects"]]
