"""Oracles that several profiles ask: each yields what is wrong."""

from collections.abc import Iterator

from ..sync_faults.records import Records
from .engine import History
from .others import SecondWriter


def plan_is_empty(history: History) -> Iterator[str]:
    """After a sync, a plan has nothing to do."""
    ran = history.attempt("plan", "--detailed-exitcode")
    if ran.code:
        yield f"not empty: plan has the exit code {ran.code}: {ran.out}{ran.err}"


def differing(records: Records, expected: Records, writer: SecondWriter | None = None) -> Iterator[str]:
    """Yield each record that is not as expected, without the pages of a second writer.

    Nor is a record left behind that a second writer has edited: after a run that did not finish, it has no longer
    exactly the values of the commit, so it is not ours any more (docs/evidence.md 2).
    """
    made, edited = (writer.made, writer.edited) if writer else (frozenset(), set())
    for key in sorted(records.keys() | expected.keys()):
        if key[1] in made:
            continue
        if key not in expected and (key[0].collection, records[key].id) in edited:
            continue
        if key not in records:
            yield f"lost: {key[0]} {key[1]}"
        elif key not in expected:
            yield f"left behind: {key[0]} {key[1]}"
        elif records[key].content != expected[key].content:
            now, wanted = records[key].content, expected[key].content
            names = [name for name in wanted if now.get(name) != wanted[name]]
            yield f"wrong: {key[0]} {key[1]}: " + "; ".join(f"{n} {now.get(n)}, not {wanted[n]}" for n in names)
