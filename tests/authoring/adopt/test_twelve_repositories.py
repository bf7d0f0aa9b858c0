"""contentsync.authoring.adopt.adoption: twelve repositories, until all is read, after at most three edits."""

from collections import Counter
from pathlib import Path

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
SIZE = 100


def adopt(folder: Path) -> tuple[Adoption, list[str]]:
    """Write what `adopt` proposes to a user who accepts every default; return it with the lines of its result."""
    answers = DefaultAnswers()
    adoption = propose_adoption(folder, answers, NOW)
    write(folder, {CONFIG: adoption.config, **adoption.files})
    return adoption, "".join(closing_table(adoption, answers.guesses, full=False)).splitlines()


def unread_documents(folder: Path, shape: Shape) -> set[str]:
    """Return the files with front matter that the folder's config does not read."""
    with_front_matter = {path for path, source in shape.files.items() if str(source).startswith(FENCES)}
    config, _problems = read_config(folder)
    return with_front_matter - {file.path for file in scan(folder, config).files}


@pytest.mark.parametrize("name", TWELVE)
def test_a_repository_is_read_after_at_most_three_edits(name: str, tmp_path: Path) -> None:
    shape = TWELVE[name](SIZE)
    folder = write(tmp_path, shape.files)
    adopt(folder)
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


@pytest.mark.parametrize("name", [*TWELVE])
def test_the_result_is_short_and_names_the_right_number_of_unread_files(name: str, tmp_path: Path) -> None:
    shape = TWELVE[name](SIZE)
    folder = write(tmp_path, shape.files)
    adoption, lines = adopt(folder)
    assert len(lines) <= MAX_LINES
    unread = unread_documents(folder, shape)
    assert {document.path for document in adoption.unread} == unread
    number = f"{len(unread)} file" + "s" * (len(unread) != 1)
    assert [line for line in lines if line.startswith("not read: ")] == (
        [f"not read: {number} with front matter"] if unread else []
    )
