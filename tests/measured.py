"""Durations and measurements of the tests of a long form, for its report."""

from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass
class Report:
    """A plugin of pytest that collects the measurements of each test."""

    tests: dict[str, dict[str, Any]] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the worst outcome of the set-up, the test and the clean-up."""
        test = self.tests.setdefault(report.nodeid, {"outcome": "passed", "seconds": 0.0})
        test["seconds"] = round(test["seconds"] + report.duration, 3)
        if not report.passed:
            test["outcome"] = report.outcome
            test["why"] = report.longreprtext
        test.update(report.user_properties)
