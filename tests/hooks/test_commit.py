"""A commit cannot carry a broken page: real git calls the real hook."""

from pathlib import Path

import pytest

from ..end_to_end.conftest import contentsync
from ..exit_codes import CONTENT_ERRORS, WRONG_USAGE
from .conftest import quicken_all
from .repositories import BROKEN, SOUND, Tree, looking_like_a_repository

ABOUT = "site/pages/about.md"


def test_a_broken_staged_page_is_refused_though_the_working_tree_is_valid(clone: Tree) -> None:
    clone.write(ABOUT, BROKEN)
    clone.git("add", ".")
    clone.write(ABOUT, SOUND)
    refused = clone.commit()
    assert refused.returncode == 1
    assert "site/pages/about.md:3:1: unknown-key" in refused.stderr
    assert "3 | titel: Abuot" in refused.stderr
    assert clone.commits == 1


def test_a_valid_staged_page_is_committed_though_the_working_tree_is_broken(clone: Tree) -> None:
    clone.write(ABOUT, SOUND + "\nAnd more.\n")
    clone.git("add", ".")
    clone.write(ABOUT, BROKEN)
    clone.write("site/pages/draft.md", BROKEN)
    assert clone.commit().returncode == 0
    assert clone.commits == 2


def test_a_commit_of_all_or_of_paths_is_validated_by_its_own_index(clone: Tree) -> None:
    """`git commit -a` and `git commit PATH` each make an index of their own."""
    clone.write(ABOUT, BROKEN)
    assert "site/pages/about.md:3:1" in clone.commit("--all").stderr
    assert "site/pages/about.md:3:1" in clone.commit(ABOUT).stderr
    assert clone.commits == 1
    clone.write("README", "Changed.\n")
    clone.git("add", ABOUT)
    assert clone.commit("README").returncode == 0
    assert clone.commits == 2


def test_a_commit_that_stages_nothing_of_the_folder_is_not_validated(clone: Tree) -> None:
    clone.write(ABOUT, BROKEN)
    clone.git("add", ".")
    assert clone.commit("--no-verify").returncode == 0
    clone.write("README", "Changed.\n")
    clone.git("add", ".")
    assert clone.commit().returncode == 0
    assert clone.commit("--amend").returncode == 0
    assert clone.commits == 3


def test_a_first_commit_and_an_amended_commit_are_validated(tmp_path: Path, program: Path) -> None:
    tree = Tree.new(tmp_path / "new")
    assert contentsync("hook", "install", tree.path).code == 0
    quicken_all(tree.path, program)
    tree.write("contentsync.toml", "")
    tree.write("pages/about.md", BROKEN)
    tree.git("add", ".")
    assert "\npages/about.md:3:1: unknown-key" in f"\n{tree.commit().stderr}"
    tree.write("pages/about.md", SOUND)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    tree.write("pages/about.md", BROKEN)
    tree.git("add", ".")
    assert tree.commit("--amend").returncode == 1


def test_a_removed_category_is_an_error_in_an_unchanged_listing(clone: Tree) -> None:
    """A listing refers to a category whose file is deleted."""
    clone.write("site/categories.yaml", "- slug: tools\n  title: Tools\n- slug: more\n  title: More\n")
    clone.write("site/listings/tool.md", "---\nname: Tool\nurl: https://example.org\ncategories: [tools]\n---\n")
    clone.git("add", ".")
    assert clone.commit().returncode == 0
    clone.write("site/categories.yaml", "- slug: more\n  title: More\n")
    clone.git("add", ".")
    assert "site/listings/tool.md:4:" in clone.commit().stderr


def test_each_changed_content_folder_is_validated_and_no_other(clone: Tree) -> None:
    clone.write("blog/contentsync.toml", "")
    clone.write("blog/pages/a.md", BROKEN)
    clone.write("other/contentsync.toml", "")
    clone.write("other/pages/b.md", BROKEN)
    clone.git("add", ".")
    refused = clone.commit().stderr
    assert "blog/pages/a.md:3:1" in refused
    assert "other/pages/b.md:3:1" in refused
    assert "site/" not in refused


def test_a_merge_without_conflicts_is_validated(clone: Tree) -> None:
    """Two valid branches that use the same address."""
    clone.git("checkout", "--quiet", "-b", "other")
    clone.write("site/pages/one.md", "---\ntitle: One\nslug: same\n---\n")
    clone.git("add", ".")
    assert clone.commit().returncode == 0
    clone.git("checkout", "--quiet", "main")
    clone.write("site/pages/two.md", "---\ntitle: Two\nslug: same\n---\n")
    clone.git("add", ".")
    assert clone.commit().returncode == 0
    merged = clone.run("merge", "--no-edit", "other")
    assert merged.returncode != 0
    assert "site/pages/two.md:3:" in merged.stderr


def test_a_merge_with_a_resolved_conflict_is_validated(clone: Tree) -> None:
    clone.git("checkout", "--quiet", "-b", "other")
    clone.write(ABOUT, SOUND + "\nTheirs.\n")
    clone.commit("--all")
    clone.git("checkout", "--quiet", "main")
    clone.write(ABOUT, SOUND + "\nOurs.\n")
    clone.commit("--all")
    assert clone.run("merge", "other").returncode != 0
    clone.write(ABOUT, BROKEN)
    clone.git("add", ".")
    assert "site/pages/about.md:3:1" in clone.commit().stderr
    clone.write(ABOUT, SOUND + "\nBoth.\n")
    clone.git("add", ".")
    assert clone.commit().returncode == 0


def test_a_file_marked_with_intent_to_add_is_not_part_of_the_commit(clone: Tree) -> None:
    clone.write("site/pages/new.md", SOUND)
    clone.git("add", "--intent-to-add", "site/pages/new.md")
    clone.write(ABOUT, SOUND + "\nMore.\n")
    clone.git("add", ABOUT)
    assert clone.commit().returncode == 0


def test_a_page_outside_of_a_sparse_checkout_is_validated(clone: Tree) -> None:
    clone.write("site/pages/two.md", "---\ntitle: Two\nslug: two\n---\n")
    clone.git("add", ".")
    assert clone.commit().returncode == 0
    clone.git("sparse-checkout", "set", "--no-cone", "/README", "/site/contentsync.toml", "/site/pages/about.md")
    assert not (clone.path / "site/pages/two.md").exists()
    clone.write(ABOUT, "---\ntitle: About\nslug: two\n---\n")
    clone.git("add", ABOUT)
    assert "slug" in clone.commit().stderr
    assert clone.commits == 2


def test_a_linked_working_tree_has_the_hook(clone: Tree) -> None:
    clone.git("worktree", "add", "--quiet", "../second", "-b", "second")
    second = Tree(clone.path.parent / "second")
    second.write(ABOUT, BROKEN)
    second.git("add", ".")
    assert "site/pages/about.md:3:1" in second.commit().stderr


def test_staged_files_are_validated_as_git_would_check_them_out(clone: Tree) -> None:
    """Line ends, links and filters are those of a checkout; submodules are named, as their files are elsewhere."""
    clone.git("config", "filter.up.smudge", "sed s/^tytle:/title:/")
    clone.git("config", "filter.up.clean", "sed s/^title:/tytle:/")
    clone.write(".gitattributes", "site/pages/filtered.md filter=up\n")
    clone.write("site/pages/filtered.md", "---\ntitle: Filtered\n---\n")
    (clone.path / "site/pages/link.md").symlink_to("../../README")
    head = clone.git("rev-parse", "HEAD")
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{head},site/module")
    clone.git("add", ".gitattributes", "site/pages/filtered.md")
    done = clone.commit()
    assert done.returncode == 0, done.stderr
    assert "site/module is a submodule" in done.stderr
    clone.git("add", "site/pages/link.md")
    assert "site/pages/link.md:1:1: bad-link" in clone.commit().stderr


def test_staged_files_are_validated_without_a_commit(clone: Tree) -> None:
    clone.write(ABOUT, BROKEN)
    clone.git("add", ".")
    clone.write(ABOUT, SOUND)
    assert contentsync("validate", clone.path / "site").code == 0
    ran = contentsync("validate", "--staged", clone.path / "site", "--format", "github")
    assert ran.code == CONTENT_ERRORS
    assert "::error file=site/pages/about.md,line=3," in ran.out
    ran = contentsync("validate", "--staged", "--format", "json", cwd=clone.path / "site")
    assert [problem["path"] for problem in ran.document["problems"]] == ["pages/about.md"]


def test_a_program_in_repository_settings_among_the_files_does_not_run(clone: Tree) -> None:
    looking_like_a_repository(clone.path / "site", "touch ran")
    clone.write(ABOUT, BROKEN)
    clone.git("add", "--force", ".")
    assert "about.md:3:1" in contentsync("validate", "--staged", clone.path / "site").out
    assert not (clone.path / "site/ran").exists()


@pytest.mark.parametrize("folder", ["README", "unknown", ".."])
def test_a_path_that_is_not_a_staged_folder_is_wrong_use(clone: Tree, folder: str) -> None:
    assert contentsync("validate", "--staged", clone.path / folder).code == WRONG_USAGE
