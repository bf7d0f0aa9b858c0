"""The property of tests/properties/test_undo.py for many histories, from seeds that a report can name."""

from traceback import format_exc

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

from contentsync.sync.planning.plan import OnDrift

from ...properties.folders import Files
from ...properties.histories import folders
from ...properties.test_undo import drifts, take_back
from ...properties.workplace import Edit, edits


def look(number: int, examples: int) -> list[str]:
    """Return what is wrong with some histories that are drawn from a seed."""

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # to make an example smaller takes minutes
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(before=folders(), after=folders(), edited=edits, on_drift=drifts)
    def restores(before: Files, after: Files, edited: list[Edit], on_drift: OnDrift) -> None:
        take_back(before, after, edited, on_drift)

    try:
        restores()
    except Exception:  # noqa: BLE001 - whatever it is, it belongs into the report
        return [format_exc(limit=-1)]
    return []
