"""Wrong but well-formed answers while others edit the server; all kinds at every request in `make torture`."""

import pytest

from contentsync.sync.planning.plan import OnDrift

from ..sampling import sampled
from .contest import POLICIES, Contest, consenting
from .others import OTHERS, folders
from .stage import Stage
from .workspace import Workspace
from .wrong_answers import ANSWERS


@pytest.fixture(scope="session")
def contests(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Contest]:
    """Grounds on which others have edited, each made when it is first needed."""
    return _Contests(stage, tmp_path_factory)


class _Contests(dict[str, Contest]):
    def __init__(self, stage: Stage, homes: pytest.TempPathFactory) -> None:
        super().__init__()
        self._stage = stage
        self._homes = homes

    def __missing__(self, name: str) -> Contest:
        others, stage = OTHERS[name], self._stage
        home = self._homes.mktemp(name)
        workspace = Workspace(stage, stage.proxy.url, home, folders(), lambda made: consenting(made, stage), others.act)
        return self.setdefault(name, Contest(workspace, stage, others))


@pytest.mark.parametrize(
    ("name", "collection", "others", "on_drift", "forever"),
    sampled(
        [
            ("list-empty", "pages", "rivals", "overwrite", True),
            ("list-empty", "pages", "edits", "keep", False),
            ("list-without-odd", "projects", "edits", "overwrite", False),
            ("list-without-even-without-etag", "tags", "edits", "keep", True),
            ("list-without-last", "articles", "edits", "fail", True),
            ("list-unchanged", "pages", "rivals", "overwrite", True),
            ("bulk-none", "projects", "edits", "overwrite", True),
            ("bulk-first-two", "projects", "edits", "overwrite", False),
            ("delete-not-found", "pages", "edits", "overwrite", False),
            ("another-record", "pages", "edits", "overwrite", False),
            ("another-id", "categories", "edits", "keep", False),
            ("not-done-another-record", "articles", "edits", "overwrite", False),
            ("read-back-another", "pages", "edits", "overwrite", False),
        ],
        every=2,
    ),
)
def test_a_wrong_answer_overwrites_nothing_and_the_next_runs_recover(
    contests: dict[str, Contest], name: str, collection: str, others: str, on_drift: OnDrift, forever: bool
) -> None:
    contest, answer = contests[others], ANSWERS[name]
    requests = enumerate(contest.undisturbed(on_drift).requests, 1)
    number = next(n for n, request in requests if answer.meets(*request) and f"/{collection}" in request[1])
    assert list(contest.meet(answer, number, on_drift, forever=forever)) == []


@pytest.mark.parametrize("on_drift", POLICIES)
def test_edits_just_before_a_run_are_treated_as_on_drift_says(contests: dict[str, Contest], on_drift: OnDrift) -> None:
    contest = contests["edits"]
    undisturbed = contest.undisturbed(on_drift)
    edits = {key: fields for key, fields in OTHERS["edits"].edits.items() if key in undisturbed.records}
    theirs = {
        key
        for key, fields in edits.items()
        if all(str(value) in str(undisturbed.records[key].content) for value in fields.values())
    }
    assert undisturbed.refused == (on_drift == "fail")
    assert theirs == (set() if on_drift == "overwrite" else edits.keys())
