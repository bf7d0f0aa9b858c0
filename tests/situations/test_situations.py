"""Without consent, no situation loses content; with the consent that is printed, the plan is carried out.

`make test` tries every situation with `sync --yes`, and two of each other way.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..sampling import sampled
from ..sync_faults.stage import Stage
from .grounds import Grounds
from .situations import DONE, KEPT, REFUSED, SITUATIONS, Situation
from .ways import WAYS

ARTICLE = "---\ntitle: News\npublished_at: 2026-01-01T09:00:00Z\n---\n\nUnrelated.\n"
EVERY = {"sync": 20, "sync --yes": 1, "CI": 20, "hook": 20, "watch": 40}
CASES = [
    case
    for way, every in EVERY.items()
    for case in sampled([(case, way) for case in SITUATIONS if way in case.ways], every)
]


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grounds]:
    with Stage() as stage:
        yield Grounds(stage, tmp_path_factory.mktemp("grounds"))


@pytest.mark.parametrize(("case", "way"), CASES, ids=str)
def test_nothing_is_lost_without_consent(
    case: Situation, way: str, tmp_path: Path, grounds: Grounds, program: Path
) -> None:
    scene = grounds.scene(is_synced=WAYS[way].begins_synced)
    article = ("POST", f"/api/directories/{scene.served.directory}/articles")
    with ExitStack() as cleanup:
        chosen = WAYS[way](scene, tmp_path, program, cleanup)
        chosen.begin()
        before = len(scene.our_writes)
        case.act(scene)
        scene.write("articles/news.md", ARTICLE)
        said = chosen.deliver()
        written = scene.our_writes[before:]
        assert said.refused == (case.outcome is REFUSED), said.text
        assert case.says in said.text
        if case.outcome is DONE:
            assert {*written} > {article}
            assert chosen.pending() == ""
        else:
            is_article_first = chosen.deletes_wait and case.trailer.startswith("deletes")
            assert written == ([article] if case.outcome is KEPT or is_article_first else []), said.text
        if case.options:
            said = chosen.consent(case.options, case.trailer)
            assert not said.refused, said.text
            assert len(scene.our_writes) > before + len(written)
            assert chosen.pending() == ""
