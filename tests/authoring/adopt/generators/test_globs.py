"""contentsync.authoring.adopt.generators.globs: the globs of JavaScript's libraries, and the patterns of `exclude`."""

import pytest

from contentsync.authoring.adopt.generators.globs import (
    exclude_pattern,
    first_ignoring,
    first_match,
    fixed_folder,
    matches,
)


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [
        ("**/*.md", "a.md", True),
        ("**/*.md", "in/in/a.md", True),
        ("*.md", "in/a.md", False),
        ("./posts/*.md", "posts/a.md", True),
        ("**/[^_]*.md", "_a.md", False),
        ("**/[^_]*.md", "_in/a.md", True),
        ("**/[!_]*.{md,mdx}", "in/a.mdx", True),
        ("**/_*/**", "in/_in/in/a.md", True),
        ("**/_*/**", "in/_a.md", False),
        ("posts/**", "posts/in/a.md", True),
        ("posts/**", "other/posts/a.md", False),
        ("**/*.@(md|mdx)", "a.mdx", True),
        ("**/!(draft-*|_*).md", "in/a.md", True),
        ("**/!(draft-*|_*).md", "in/draft-a.md", False),
        ("**/{a,b}/{c,d}.md", "x/b/c.md", True),
        ("", "a.md", False),
        ("[", "a.md", False),
    ],
)
def test_a_glob_matches_whole_paths(glob: str, path: str, is_match: bool) -> None:
    assert matches(path, glob) is is_match


def test_a_glob_of_many_alternatives_takes_no_time() -> None:
    assert not matches("in/a.md", "{a,b}" * 400)
    assert not matches("a/" * 400, "**/" * 400 + "b")


@pytest.mark.parametrize(
    ("globs", "path", "first"),
    [
        (["a/*.md", "**/*.md"], "a/b.md", "a/*.md"),
        (["**/*.md", "!**/_*.md"], "in/_b.md", ""),
        (["!**/_*.md", "**/*.md"], "in/b.md", "**/*.md"),
        (["**/*.md", "!**/_*"], "_in/b.md", ""),  # a folder that is not searched
        ([], "a.md", ""),
    ],
)
def test_a_negative_glob_excludes_what_another_one_matches(globs: list[str], path: str, first: str) -> None:
    assert first_match(path, globs) == first


@pytest.mark.parametrize(
    ("glob", "first"),
    [("in", "in"), ("in/", "in/"), ("in/**", "in/**"), ("**/_*", ""), ("*.md", ""), ("**/a.md", "**/a.md")],
)
def test_a_glob_ignores_the_files_of_a_folder_that_it_matches(glob: str, first: str) -> None:
    assert first_ignoring("in/a.md", ["x", glob]) == first


@pytest.mark.parametrize(
    ("glob", "folder"),
    [("**/*.md", ""), ("posts/*.md", "posts"), ("./a/b/**/c.md", "a/b"), ("a.md", ""), ("{a,b}/c", "")],
)
def test_the_names_before_the_first_special_one_are_a_fixed_folder(glob: str, folder: str) -> None:
    assert fixed_folder(glob) == folder


@pytest.mark.parametrize(
    ("glob", "pattern"),
    [
        ("**/TODO.md", "TODO.md"),
        ("**/[^_]*.md", "[!_]*.md"),
        ("**/wip/**", "wip"),
        ("private/**", "docs/private"),
        ("./private/in/**/*", "docs/private/in"),
        ("**/_*", ""),  # for `exclude`, a folder may have such a name too
        ("**/_*/**", ""),
        ("*.md", ""),
        ("a/b.md", ""),
        ("**/*.{md,mdx}", ""),
    ],
)
def test_a_pattern_of_exclude_means_the_same_as_its_glob(glob: str, pattern: str) -> None:
    assert exclude_pattern(glob, "docs") == pattern
