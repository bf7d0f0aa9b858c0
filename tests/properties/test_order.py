"""A plan is the same for the same files, whatever the order in which they were written."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentsync.content.folder.load import load_content
from contentsync.sync.planning.plan_builder import make_plan

from .folders import Files, folders, write

quickly = settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@quickly
@given(folders(), st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(files: Files, order: Random) -> None:
    shuffled = [*files.items()]
    order.shuffle(shuffled)
    assert digest_of(files) == digest_of(dict(shuffled))


def digest_of(files: Files) -> str:
    with TemporaryDirectory() as folder:
        content = load_content(write(files, Path(folder)))
        assert not content.errors
        return make_plan(content.entries, []).digest
