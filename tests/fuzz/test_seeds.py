"""Files that were a failure once, or that the list of faults names: `seeds/` is a content folder of them."""

import re
from pathlib import Path

import pytest

from ..sampling import sampled
from .documents import AROUND
from .promises import check, check_again, check_commands, write

SEEDS = Path(__file__).parent / "seeds"
PATHS = sorted(
    file.relative_to(SEEDS).as_posix() for file in SEEDS.rglob("*") if file.is_file() and file.name[0] != "."
)
LONG = {path for path in PATHS if (SEEDS / path).stat().st_size > 6_000}  # made to take long: once is enough


@pytest.mark.parametrize("path", sampled(PATHS, every=10))
def test_a_seed_alone_breaks_no_promise(path: str, tmp_path: Path) -> None:
    place = "contentsync.toml" if path.startswith("configs/") else path
    files = {**AROUND, place: (SEEDS / path).read_bytes()}
    write(files, tmp_path)
    content, _ = check(files, tmp_path)
    if path not in LONG:
        check_again(content, files)


def test_all_seeds_in_one_folder_are_reported_in_every_format(tmp_path: Path) -> None:
    files = {path: (SEEDS / path).read_bytes() for path in PATHS if path not in LONG} | dict(AROUND)
    write(files, tmp_path)
    check_commands(check(files, tmp_path)[0])


def test_a_seed_is_named_for_the_fault_that_it_shows() -> None:
    assert PATHS
    for path in PATHS:
        assert re.match(r"(?:FI|YA|CS|SL|TM|FUZZ)-\d\d\.[a-z0-9-]+\.[a-z]+\Z", Path(path).name), path
