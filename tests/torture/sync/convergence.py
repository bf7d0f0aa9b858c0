"""The property of tests/properties/test_convergence.py for many folders, from seeds that a report can name."""

from traceback import format_exc

from hypothesis import HealthCheck, Verbosity, given, seed, settings

from contentsync.sync import Policy

from ...properties.folders import Files, folders
from ...properties.test_convergence import converge, policies
from ...properties.workplace import Edit, edits


def look(number: int, examples: int) -> list[str]:
    """Return the faults of some folders, bases and servers that are drawn from a seed."""

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(before=folders(), after=folders(), edited=edits, policy=policies)
    def converges(before: Files, after: Files, edited: list[Edit], policy: Policy) -> None:
        converge(before, after, edited, policy)

    try:
        converges()
    except Exception:  # noqa: BLE001 - whatever it is, it belongs into the report
        return [format_exc(limit=-1)]
    return []
