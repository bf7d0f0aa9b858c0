"""The choice of cases that `make test` runs of a large test; `make test-whole` runs all of them."""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def sampled(cases: Iterable[Any], every: int) -> list[ParameterSet]:
    """Return cases for `parametrize`, of which `make test` runs the first and each n-th that follows it.

    A case is a value, a tuple of the values of several arguments, or a `pytest.param`.
    """
    return [_case(case, is_drawn=number % every == 0) for number, case in enumerate(cases)]


def _case(case: Any, *, is_drawn: bool) -> ParameterSet:
    marks = () if is_drawn else (pytest.mark.whole,)
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, marks=(*case.marks, *marks), id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks)
