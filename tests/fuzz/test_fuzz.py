"""Examples by the dozen, the same ones each time: `make fuzz` looks further."""

import tempfile
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings

from ..sampling import sampled
from .examples import EXAMPLES, Example, foreign_folders
from .promises import check, check_adopt, check_again, check_commands, write

ASIDE_EVERY = 10  # examples
SLOW = {"intricate": 3}  # examples of strategies that take seconds each

quickly = settings(
    max_examples=5,
    deadline=None,  # `check` has its own
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@pytest.mark.parametrize("name", sampled(EXAMPLES, every=2))
def test_no_folder_breaks_the_reader(name: str) -> None:
    numbers = count()

    @settings(quickly, max_examples=SLOW.get(name, quickly.max_examples))
    @given(EXAMPLES[name])
    def hold(files: Example) -> None:
        with tempfile.TemporaryDirectory() as folder:
            write(files, Path(folder))
            content, _ = check(files, Path(folder))
            if next(numbers) % ASIDE_EVERY == 0:
                check_commands(content)
                check_again(content, files)

    hold()


@pytest.mark.parametrize("number", sampled(range(4), every=4))
def test_no_folder_breaks_adopt(number: int) -> None:
    @settings(quickly, max_examples=10)
    @seed(number)
    @given(foreign_folders())
    def hold(files: Example) -> None:
        with tempfile.TemporaryDirectory() as folder:
            write(files, Path(folder))
            check_adopt(Path(folder))

    hold()
