"""contentsync.model.markdown_budget: the limit on the steps that parsing a text can take."""

import pytest

from contentsync.model.markdown_budget import MAX_STEPS, StepBudget, TooIntricate


def test_the_step_budget_has_an_upper_limit() -> None:
    allowance = StepBudget()
    for _ in range(10):
        allowance.add("x" * 1_000_000)
    with pytest.raises(TooIntricate):
        allowance.spend(MAX_STEPS + 1)
