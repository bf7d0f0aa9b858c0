"""contentsync.authoring.adopt.generators: adopt publishes the entries that the generator shows, and no others."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import Adoption, propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.content.files.content_folder import CONFIG
from contentsync.content.folder.load import load_content
from contentsync.model import Kind

from ..repositories import NOW, Files, write
from .rule_folders import RULES, files_of, shown


def adopted(folder: Path, files: Files) -> Adoption:
    """Return what `adopt` proposes for these files; write it."""
    adoption = propose_adoption(write(folder, files), DefaultAnswers(), NOW)
    write(folder, {CONFIG: adoption.config, **adoption.files})
    return adoption


def published(folder: Path) -> set[str]:
    """Return the paths of the entries that are published now, and without an error."""
    content = load_content(folder)
    flags = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}
    faulty = {problem.where.path for problem in content.errors}
    now = NOW.isoformat()
    return {
        entry.source.path
        for entry in content.entries
        if entry.kind in flags
        and entry.source
        and entry.source.path not in faulty
        and entry.fields.get(flags[entry.kind]) is not False
        and str(entry.fields.get("published_at") or now)[:19] <= now[:19]
    }


@pytest.mark.parametrize("rule", RULES)
def test_adopt_publishes_what_the_generator_shows(rule: str, tmp_path: Path) -> None:
    adopted(tmp_path, files_of(rule))
    assert sorted(published(tmp_path)) == sorted(shown(rule))
