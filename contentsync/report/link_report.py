"""The report of `links`: which external addresses are dead, fail, have moved or are unknown, and where they are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import pluralize
from ..linkcheck.address_changes import UnwrittenAddress
from ..linkcheck.external_addresses import AddressUse
from ..linkcheck.link_history import NO_HISTORY, LinkHistory
from ..linkcheck.link_results import LinkResult, Outcome
from ..value_text import printable
from .document_parts import entry_document
from .markdown_parts import LIMIT, Budget, inline_code, key_name

_GROUPS = {  # in the order of the report: the heading, and what it means
    "dead": "Dead: failed on three days, at least a week apart",
    "moved": "Moved: a permanent redirect on two days",
    "failing": "Failing, not yet dead",
    "unknown": "Unknown: an answer that says nothing about the page, or none",
    "skipped": "Not checked",
}
_SHOWN = 5  # places of an address in a text or a comment


@dataclass(frozen=True, slots=True)
class LinkReport:
    """The places of all addresses, with their histories after the run, and the results of the run.

    Without a run, `results` is None. `left_out` are the entries that `--fix` could not change; None: it did not run.
    """

    places: Mapping[str, Sequence[AddressUse]]
    histories: Mapping[str, LinkHistory]
    results: Mapping[str, LinkResult] | None = None
    left_out: Sequence[UnwrittenAddress] | None = None

    @property
    def dead(self) -> list[str]:
        """The dead addresses."""
        return [address for address in sorted(self.places) if self._group(address) == "dead"]

    def _group(self, address: str) -> str:
        """Return the group that an address is in; "" for one that works."""
        history = self.histories.get(address, NO_HISTORY)
        result = (self.results or {}).get(address)
        if history.is_dead:
            return "dead"
        if history.proposal:
            return "moved"
        if result and result.outcome in (Outcome.UNKNOWN, Outcome.SKIPPED):
            return result.outcome.value
        return "failing" if history.failed else ""

    def groups(self) -> dict[str, list[str]]:
        """Return the addresses of each group."""
        found: dict[str, list[str]] = {name: [] for name in _GROUPS}
        for address in sorted(self.places):
            if group := self._group(address):
                found[group].append(address)
        return found


def link_document(report: LinkReport) -> dict[str, Any]:
    """Return the JSON document of `links`, from which the text and the Markdown are made."""
    document: dict[str, Any] = {
        "version": 1,
        "addresses": len(report.places),
        "checked": None
        if report.results is None
        else sum(result.outcome is not Outcome.SKIPPED for result in report.results.values()),
    }
    for name, addresses in report.groups().items():
        document[name] = [_address(report, address) for address in addresses]
    if report.left_out is not None:
        document["left_out"] = [{**entry_document(entry), "reason": reason} for entry, reason in report.left_out]
    return document


def _address(report: LinkReport, address: str) -> dict[str, Any]:
    history = report.histories.get(address, NO_HISTORY)
    result = (report.results or {}).get(address)
    is_known = result is None or result.outcome in (Outcome.WORKS, Outcome.FAILED)
    return {
        "url": address,
        "reason": history.reason if is_known or not result else result.reason,
        "failed": [day.isoformat() for day in history.failed],
        "moved": [day.isoformat() for day in history.moved],
        "moved_to": history.moved_to or None,
        "places": [_place(use) for use in report.places[address]],
    }


def _place(use: AddressUse) -> dict[str, Any]:
    document: dict[str, Any] = {**entry_document(use.entry), "field": use.field}
    if use.entry.source:
        where = use.entry.source.where(use.field)
        document |= {"path": where.path, "line": where.line}
    return document


def link_lines(document: Mapping[str, Any], *, full: bool) -> Iterator[str]:
    """Yield the lines of the text: each group with its addresses and their places, and a line with the numbers."""
    for name, heading in _GROUPS.items():
        if document[name] and (full or name != "skipped"):
            yield f"{heading}{_written(document) if name == 'moved' else ''}"
            for address in document[name]:
                yield f"  {printable(address['url'])}{_details(name, address, printable)}"
                yield from (f"    {line}" for line in _places(address["places"], printable, full=full))
            yield ""
    for entry in document.get("left_out", ()):
        yield printable(f"not written: {entry['kind']} {entry['key']}: {entry['reason']}")
    yield _summary(document)


def _written(document: Mapping[str, Any]) -> str:
    """Return the end of the heading of moved addresses: whether `--fix` has written them."""
    if "left_out" not in document:
        return ""
    return "; written, except what is named below" if document["left_out"] else "; written"


def link_markdown(document: Mapping[str, Any]) -> str:
    """Return the report as the text of an issue of a forge: what needs work is shown, all else is counted.

    It is the same text after each run that finds the same dead and moved addresses, so a job can compare it.
    """
    found = [f"{len(document[name]):,} {name}" for name in ("dead", "moved") if document[name]]
    parts = [f"## External addresses\n\n{', '.join(found) or 'None is dead, and none has moved'}.\n"]
    budget = Budget(LIMIT - len(parts[0]))
    for name in ("dead", "moved"):
        hidden = 0
        for number, address in enumerate(document[name]):
            places = "".join(f"  - {line}\n" for line in _places(address["places"], inline_code, full=False))
            text = f"- {inline_code(address['url'])}{_details(name, address, inline_code)}\n{places}"
            if number == 0:
                text = f"\n### {_GROUPS[name]}\n\n{text}"
            if hidden or not budget.spend(text):
                hidden += 1
            else:
                parts.append(text)
        if hidden:
            parts.append(f"\n{pluralize(hidden, 'more address', 'more addresses')}: `contentsync links --no-check`\n")
    return "".join(parts)


def _details(group: str, address: Mapping[str, Any], code: Callable[[str], str]) -> str:
    if group == "moved":
        return f" → {code(address['moved_to'])}"
    reason = f": {code(address['reason'])}" if address["reason"] else ""
    since = f", since {address['failed'][0]}" if address["failed"] and group in ("dead", "failing") else ""
    return f"{reason}{since}"


def _places(places: Sequence[Mapping[str, Any]], code: Callable[[str], str], *, full: bool) -> Iterator[str]:
    shown = places if full else places[:_SHOWN]
    for place in shown:
        file = f"{code(place['path'])}, line {place['line']}: " if place["path"] else ""
        name = key_name(place["kind"], place["key"]) if code is inline_code else f"{place['kind']} {code(place['key'])}"
        yield f"{file}{place['field']} of {name}"
    if len(places) > len(shown):
        yield f"and {pluralize(len(places) - len(shown), 'more place')}"


def _summary(document: Mapping[str, Any]) -> str:
    """Return a line with the number of addresses, and of those in each group that has any."""
    numbers = [f"{len(document[name]):,} {_NOUNS[name]}" for name in _GROUPS if document[name]]
    total = pluralize(document["addresses"], "external address", "external addresses")
    return f"{total}: {', '.join(numbers) or 'none is dead'}"


_NOUNS = {name: "not checked" if name == "skipped" else name for name in _GROUPS}
