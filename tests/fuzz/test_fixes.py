"""A share of `make fuzz-fix`, and the proof that its check can fail."""

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from contentsync.authoring.edit.fix_plan import apply_fixes, plan_fixes

from ..sampling import sampled
from .examples import EXAMPLES, Example
from .fixes import problems_of, run_folder, sample
from .promises import write
from .test_fuzz import quickly


@pytest.mark.parametrize("seed", sampled(range(2), every=2))
def test_fixes_change_nothing_but_the_mistakes(seed: int, tmp_path: Path) -> None:
    samples, wrong = run_folder(seed, 60, tmp_path)
    assert sum(each.fixes for each in samples.values()) > 60
    assert wrong == {}


def test_the_check_notices_another_value_another_body_and_a_second_change() -> None:
    random = Random(1)
    each = next(
        made for number in range(99) if (made := sample(random, number)).path.startswith("pages") and not made.fixes
    )
    assert problems_of(each, each.data, each.data) == ""
    assert "second run" in problems_of(each, each.data, each.data + b" ")
    assert "body" in problems_of(replace(each, body="other"), each.data, each.data)
    assert "values" in problems_of(replace(each, entries=[{"title": "other"}]), each.data, each.data)


@pytest.mark.parametrize("name", sampled(sorted(EXAMPLES.keys() - {"intricate"}), every=5))
def test_no_malformed_file_breaks_a_fix(name: str) -> None:
    @settings(quickly, max_examples=5)
    @given(EXAMPLES[name])
    def hold(files: Example) -> None:
        with tempfile.TemporaryDirectory() as folder:
            write(files, Path(folder))
            plan = plan_fixes(Path(folder))
            for edit in plan.edits:
                lines = [(data or b"").splitlines() for data in (edit.before, edit.after)]
                changed = sum(old != new for old, new in zip(*lines, strict=True))
                assert changed <= sum(fix.fix.where.path == edit.path for fix in plan.fixed)
            apply_fixes(plan)
            assert plan_fixes(Path(folder)).edits == []

    hold()
