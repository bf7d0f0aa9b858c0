"""The consents in trailers of commits: in the notes and the document of a plan, and as annotations of `validate`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..sync.planning.consents import TRAILER, CommitConsents, Trailer
from ..value_text import printable
from .problem_documents import escape_message


def consent_notes(consents: CommitConsents, render: Callable[[str], str] = str) -> Iterator[str]:
    """Yield a line for each trailer that consents to the plan, and for each one with a fault.

    `render` formats texts of other users.
    """
    for name, number, trailer in consents.used:
        allowed = render(f"{name}={trailer.allowed[name]}")
        yield f"{_commit(trailer, render)} consents with {allowed}; the plan has {number:,}"
    for trailer in consents.faulty:
        yield f"{_commit(trailer, render)} consents to nothing: {_fault(trailer, render)}"


def consent_documents(consents: CommitConsents) -> dict[str, Any]:
    """Return the keys about consents for the JSON document of a plan (docs/reference/json.md, plan).

    The caller leaves out those whose value is empty.
    """
    used = [
        {**_document(trailer), "consent": name, "allowed": trailer.allowed[name], "number": number}
        for name, number, trailer in consents.used
    ]
    return {
        "consents": used,
        "faulty_trailers": trailer_documents(consents.faulty),
        "missing_trailer": consents.missing,
    }


def trailer_documents(trailers: Sequence[Trailer]) -> list[dict[str, Any]]:
    """Return trailers as elements of a JSON document; `error` is None if they can be read."""
    return [{**_document(trailer), "error": trailer.fault or None} for trailer in trailers]


def trailers_text(trailers: Sequence[Trailer]) -> str:
    """Return a line for each trailer, with its error."""
    return "".join(f"{_severity(trailer)}: {_annotation(trailer)}\n" for trailer in trailers)


def trailer_annotations(trailers: Sequence[Trailer]) -> Iterator[str]:
    """Yield an annotation of a GitHub run for each trailer: an error if it cannot be read, else a notice."""
    for trailer in sorted(trailers, key=lambda trailer: not trailer.fault):
        yield f"::{_severity(trailer)} title={TRAILER}::{escape_message(_annotation(trailer))}"


def _annotation(trailer: Trailer) -> str:
    if trailer.fault:
        return f"{_commit(trailer)}: {_fault(trailer)}"
    return f"{_commit(trailer)} asks to allow: {printable(trailer.text)}"


def _severity(trailer: Trailer) -> str:
    return "error" if trailer.fault else "notice"


def _commit(trailer: Trailer, render: Callable[[str], str] = str) -> str:
    return f"commit {trailer.commit[:12]} by {render(printable(trailer.author))}"


def _fault(trailer: Trailer, render: Callable[[str], str] = str) -> str:
    return f"{render(printable(f'{TRAILER}: {trailer.text}'))}: {render(printable(trailer.fault))}"


def _document(trailer: Trailer) -> dict[str, Any]:
    return {"commit": trailer.commit, "author": trailer.author, "trailer": trailer.text}
