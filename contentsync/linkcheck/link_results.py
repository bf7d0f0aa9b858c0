"""What one check says about an address: it works, it failed, or nothing is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..lazy_pattern import lazy_pattern
from ..model.urls import near_url_key, url_fault, url_key

_PERMANENT = (301, 308)
_GONE = (404, 410)
# How lychee's texts begin for failures without an answer that are certain. Its text for a name that does not exist is
# that for any other failed connection, so `host_lookup` finds those names.
_FAILED_CONNECTIONS = ("Connection refused", "TLS handshake failed", "SSL certificate")

# Start pages, also of a language, and pages that stand for every page which a site does not show.
_STAND_IN_PATH = lazy_pattern(
    r"(?:/[a-z]{2}(?:-[a-z]{2})?)?(?:/|/(?:404|error|not-?found|page-not-found|log-?in|sign-?in|sso)(?:\.[a-z]+)?)?\Z"
)


class Outcome(StrEnum):
    """What a check found out about an address."""

    WORKS = "works"
    FAILED = "failed"
    UNKNOWN = "unknown"  # an answer that says nothing about the page, such as 403 or 500, or no answer in time
    SKIPPED = "skipped"  # not requested


class Hop(NamedTuple):
    """One redirect: the status code, and the address that it leads to."""

    code: int
    address: str


@dataclass(frozen=True, slots=True)
class LinkResult:
    """The outcome of one check. `has_answer` is whether a server sent a status code.

    `moved_to` is where permanent redirects lead; "" without one. `visited` are the addresses of all redirects.
    """

    outcome: Outcome
    reason: str = ""
    has_answer: bool = False
    moved_to: str = ""
    visited: tuple[str, ...] = ()


def works(address: str, hops: Sequence[Hop] = ()) -> LinkResult:
    """Return the result of an address that leads to a page, after these redirects."""
    new = _permanent_target(hops)
    moved_to = new if _may_replace(address, new) else ""
    return LinkResult(Outcome.WORKS, has_answer=True, moved_to=moved_to, visited=_visited(hops))


def answered(code: int, text: str, hops: Sequence[Hop] = ()) -> LinkResult:
    """Return the result of an answer with a status code that is no success. Only 404 and 410 mean that a page is gone.

    All others, such as 403, 429, 503 and 999, are also sent to programs by servers whose pages readers see.
    """
    outcome = Outcome.FAILED if code in _GONE else Outcome.UNKNOWN
    reason = text.removeprefix("Rejected status code: ")
    return LinkResult(outcome, reason, has_answer=True, visited=_visited(hops))


def unanswered(text: str) -> LinkResult:
    """Return the result of a request without an answer, from the text in which lychee says why."""
    outcome = Outcome.FAILED if text.startswith(_FAILED_CONNECTIONS) else Outcome.UNKNOWN
    return LinkResult(outcome, text)


NO_SUCH_HOST = LinkResult(Outcome.FAILED, "the name of the host does not exist")
UNRESOLVED_HOST = LinkResult(Outcome.UNKNOWN, "the name of the host cannot be looked up now")
PRIVATE_HOST = LinkResult(Outcome.SKIPPED, "a private address")
PRIVATE_REDIRECT = LinkResult(Outcome.UNKNOWN, "redirects to a private address", has_answer=True)
NOT_REPORTED = LinkResult(Outcome.SKIPPED, "lychee has no result, as after a redirect to an e-mail address")
NO_TIME = LinkResult(Outcome.SKIPPED, "the time of the run was over")


def without_network_failures(result: LinkResult) -> LinkResult:
    """Return the result as it counts in a run in which most hosts do not answer: the cause may be this machine."""
    if result.outcome is Outcome.FAILED and not result.has_answer:
        return LinkResult(Outcome.UNKNOWN, f"{result.reason}, as of most hosts in this run")
    return result


def _visited(hops: Sequence[Hop]) -> tuple[str, ...]:
    return tuple(hop.address for hop in hops)


def _permanent_target(hops: Sequence[Hop]) -> str:
    """Return the address up to which all redirects are permanent; "" if the first one is not."""
    target = ""
    for hop in hops:
        if hop.code not in _PERMANENT:
            break
        target = hop.address
    return target


def _may_replace(address: str, new: str) -> bool:
    """Return whether the target of a permanent redirect can be proposed in place of an address.

    A redirect from a page to the start page of a site, or to one for errors, usually means that the page was deleted.
    A target that names the address in its query is a login, or a domain for sale. One from https to http would be a
    step back.
    """
    if not new or new == address or url_fault(new):
        return False
    before, after = urlsplit(address), urlsplit(new)
    named = unquote(after.query)
    if (before.hostname or "") in named or (len(before.path) > 1 and before.path in named):
        return False
    near = urlsplit(near_url_key(url_key(new)))
    is_stand_in = before.path.strip("/") != "" and _STAND_IN_PATH.match(near.path) is not None and not near.query
    return not is_stand_in and not (before.scheme == "https" and after.scheme == "http")
