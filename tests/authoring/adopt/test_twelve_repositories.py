"""contentsync.authoring.adopt.adoption: twelve repositories, until all is read, after at most three edits."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from contentsync.authoring.adopt.adoption import Adoption, propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.content.config.config import read_config
from contentsync.content.files.content_folder import CONFIG
from contentsync.content.folder.load import load_content
from contentsync.content.folder.scan import scan
from contentsync.model import RECORDS, Kind
from contentsync.report.adoption_report import closing_table

from .repositories import NOW, write
from .twelve.shape import Shape
from .twelve_repositories import TWELVE

MAX_EDITS = 3
MAX_LINES = 30  # below the proposal
AUTHORED = (Kind.ARTICLE, Kind.LISTING, Kind.ORGANIZER, Kind.PAGE)  # of other kinds are only entries that `adopt` adds
FENCES = ("---\n", "+++\n")
SIZE = 60


class Adopted(NamedTuple):
    """A repository with what `adopt` wrote, the lines of its result, and the documents that are not read by then."""

    shape: Shape
    folder: Path
    adoption: Adoption
    lines: list[str]
    unread: set[str]


@pytest.fixture(scope="module", params=TWELVE)
def adopted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    """Write a repository and what `adopt` proposes to a user who accepts every default."""
    shape = TWELVE[request.param](SIZE)
    folder = write(tmp_path_factory.mktemp("repository"), shape.files)
    answers = DefaultAnswers()
    adoption = propose_adoption(folder, answers, NOW)
    write(folder, {CONFIG: adoption.config, **adoption.files})
    lines = "".join(closing_table(adoption, answers.guesses, full=False)).splitlines()
    return Adopted(shape, folder, adoption, lines, unread_documents(folder, shape))


def unread_documents(folder: Path, shape: Shape) -> set[str]:
    """Return the files with front matter that the folder's config does not read."""
    with_front_matter = {path for path, source in shape.files.items() if str(source).startswith(FENCES)}
    config, _problems = read_config(folder)
    return with_front_matter - {file.path for file in scan(folder, config).files}


def test_a_repository_is_read_after_at_most_three_edits(adopted: Adopted) -> None:
    shape, folder = adopted.shape, adopted.folder
    for edit in shape.edits:
        edit(folder)
    content = load_content(folder)
    assert content.errors == []
    for kind in AUTHORED:
        entries = [entry for entry in content.entries if entry.kind is kind]
        titles = Counter(entry.fields[RECORDS[kind].title_field] for entry in entries)
        right = shape.titles.get(kind, Counter())
        assert (kind, titles.total()) == (kind, right.total())
        assert titles == right
        for field in shape.filled.get(kind, ()):
            assert [entry.key for entry in entries if not entry.fields.get(field)] == []
    for field, right_sum in shape.sums.items():
        assert sum(float(entry.fields.get(field, 0)) for entry in content.entries) == right_sum
    assert unread_documents(folder, shape) == shape.unread
    assert len(shape.edits) <= MAX_EDITS


def test_the_result_is_short_and_names_the_right_number_of_unread_files(adopted: Adopted) -> None:
    unread = adopted.unread
    assert len(adopted.lines) <= MAX_LINES
    assert {document.path for document in adopted.adoption.unread} == unread
    number = f"{len(unread)} file" + "s" * (len(unread) != 1)
    assert [line for line in adopted.lines if line.startswith("not read: ")] == (
        [f"not read: {number} with front matter"] if unread else []
    )
