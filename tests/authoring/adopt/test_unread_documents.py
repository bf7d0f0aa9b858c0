"""contentsync.authoring.adopt.unread_documents: what the closing table of adopt says about files that are not read."""

from pathlib import Path

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.report.adoption_report import closing_table

from .repositories import NOW, Files, write

ENTRY = "---\ntitle: A\ndate: 2024-01-02\n---\nText\n"
SITE: Files = {"_config.yml": "exclude: [old]\n", "_posts/2024-01-02-a.md": ENTRY}


def closing_lines(folder: Path, files: Files, *, full: bool = False) -> list[str]:
    adoption = propose_adoption(write(folder, files), DefaultAnswers(), NOW)
    return "".join(closing_table(adoption, (), full=full)).splitlines()


def test_no_problems_are_left_if_all_files_with_front_matter_are_read(tmp_path: Path) -> None:
    files: Files = {**SITE, "README.md": "# Site\n", "_posts/2024-01-03-security.md": ENTRY}
    assert closing_lines(tmp_path, files)[-1] == "no problems are left"


def test_files_that_are_not_read_are_counted_with_their_reasons(tmp_path: Path) -> None:
    unread = ("_drafts/b.md", "_drafts/c.md", "old/d.md", "README.md", "_layouts/post.html")
    assert closing_lines(tmp_path, {**SITE, **dict.fromkeys(unread, ENTRY)})[-5:] == [
        "not read: 5 files with front matter",
        "       2 not published by Jekyll: it is in _drafts: _drafts/b.md and 1 more",
        "       1 about the repository: README.md",
        "       1 not published by Jekyll: _layouts begins with _: _layouts/post.html",
        "       1 not published by Jekyll: exclude of Jekyll's config has old: old/d.md",
    ]


def test_the_full_report_names_each_file_that_is_not_read(tmp_path: Path) -> None:
    files: Files = {**SITE, **{f"_drafts/{number}.md": ENTRY for number in range(3)}}
    assert closing_lines(tmp_path, files, full=True)[-1] == (
        "       3 not published by Jekyll: it is in _drafts: _drafts/0.md, _drafts/1.md, _drafts/2.md"
    )


def test_files_named_like_those_of_a_repository_are_entries_in_a_collection(tmp_path: Path) -> None:
    names = ("README", "security-practices", "support-us", "contributing", "LICENSE", "tests/a", "themes/b")
    files: Files = {f"docs/{name}.md": "---\ntitle: A\n---\nText\n" for name in names}
    adoption = propose_adoption(write(tmp_path, files), DefaultAnswers(), NOW)
    assert (sum(adoption.trial.entries.values()), adoption.unread) == (len(names), ())
