"""docs/ci.md and docs/git.md agree with the action, the template and the hooks."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from contentsync import __version__
from contentsync.cli.command_line import command

from .workflow import ACTION, ROOT

PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
GITLAB = yaml.safe_load((ROOT / "docs/ci/contentsync.gitlab-ci.yml").read_text(encoding="utf-8"))


def blocks(page: str) -> list[Any]:
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]


def test_the_workflow_of_the_page_uses_only_existing_inputs() -> None:
    workflow, _, proposals, _ = blocks(PAGE)
    steps = [step for job in (*workflow["jobs"].values(), proposals["jobs"]["propose"]) for step in job["steps"]]
    used = [step["with"] for step in steps if "/contentsync@" in step["uses"]]
    needed = {name for name, one in ACTION["inputs"].items() if one.get("required")}
    assert len(used) == 3
    for inputs in used:
        assert needed <= inputs.keys() <= ACTION["inputs"].keys()
    assert all(re.search(r"@v\d+$", step["uses"]) for step in steps)
    assert workflow["jobs"]["plan"]["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert proposals["jobs"]["propose"]["permissions"] == {"contents": "write", "pull-requests": "write"}
    assert "READ" in used[2]["token"]


def test_each_copied_file_has_the_repository_and_the_version_once() -> None:
    """A user who copies them changes one line to set the repository, and one to use the next release."""
    copied = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert [len(re.findall(r"your-org/contentsync", text)) for text in copied] == [1, 1, 1, 1]
    named = [re.findall(r"your-org/contentsync@(\S+)|CONTENTSYNC_VERSION: (\S+)", text) for text in copied]
    action = [(f"v{__version__.partition('.')[0]}", "")]
    assert named == [action, [("", f"v{__version__}")], action, action]


def test_the_table_of_the_page_lists_each_input_with_its_default() -> None:
    section = PAGE.split("## GitHub")[1].split("## GitLab")[0]
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*?) \|", section, re.M))
    assert rows.keys() == ACTION["inputs"].keys()
    plain = {name: default.strip("`") for name, default in rows.items() if default.startswith("`")}
    assert plain == {
        name: one["default"] for name, one in ACTION["inputs"].items() if one.get("default", "$")[:1] not in "$"
    }


def test_each_variable_on_the_page_is_read_by_the_template() -> None:
    _, including, _, _ = blocks(PAGE)
    reported = {*including["variables"], *re.findall(r"^\| `(CONTENTSYNC_\w+)`", PAGE, re.M)}
    text = (ROOT / "docs/ci/contentsync.gitlab-ci.yml").read_text(encoding="utf-8")
    text += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "scripts/action").iterdir() if path.is_file())
    assert [name for name in reported if name not in text] == []


def test_the_called_scripts_are_exactly_the_existing_ones() -> None:
    jobs = [job for job in GITLAB.values() if isinstance(job, dict)]
    called = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    called += [
        line for job in jobs for part in ("before_script", "script", "after_script") for line in job.get(part, [])
    ]
    called += [str(value) for job in jobs for value in job.get("variables", {}).values()]
    scripts = (ROOT / "scripts/action").iterdir()
    programs = {
        path.name
        for path in scripts
        if path.suffix == ".sh" or (path.suffix == ".py" and '__name__ == "__main__"' in path.read_text("utf-8"))
    }
    assert set(re.findall(r"/scripts/action/([\w.]+)", "\n".join(called))) == programs


def test_no_foreign_text_is_expanded_in_a_shell_line_or_read_as_an_option() -> None:
    """Expressions are expanded before a shell reads them."""
    lines = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert all("${{" not in line for line in lines)
    lines += [line for job in GITLAB.values() for line in job.get("script", [])]
    validating = [line for line in lines if " validate " in line]
    assert len(validating) == 2  # the action calls validate.py
    assert all(line.endswith(' -- "$CONTENTSYNC_PATH"') for line in validating)


@pytest.mark.parametrize("line", re.findall(r"^(?:\$ )?(contentsync .*)$", PAGE, re.M))
def test_each_command_line_on_the_page_is_valid(line: str) -> None:
    group = command()
    words = shlex.split(line)[1:]
    context = typer.Context(group)
    while hasattr(group, "commands"):
        group = group.get_command(context, words.pop(0))
        assert group is not None
    group.make_context("contentsync", words)


def test_the_page_names_exactly_the_hooks_of_the_framework() -> None:
    (framework,) = blocks((ROOT / "docs/git.md").read_text(encoding="utf-8"))
    named = {hook["id"] for repository in framework["repos"] for hook in repository["hooks"]}
    assert named == {
        hook["id"] for hook in yaml.safe_load(Path(ROOT, ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    }


def test_the_release_commands_of_the_page_create_both_tags(tmp_path: Path) -> None:
    (commands,) = re.findall(r"^```\n(git tag .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    identity = "git config user.name Ada\ngit config user.email ada@example.com\n"
    commit = "git commit --quiet --allow-empty --message Release\n"
    setup = f"git init --quiet --bare origin\ngit clone --quiet origin copy\ncd copy\n{identity}{commit}{commands}"
    script = (
        f"{setup}{commit}{commands.replace('v0.1.0', 'v0.1.1')}git ls-remote --tags origin\ngit rev-parse HEAD~ HEAD"
    )
    ran = subprocess.run(["sh", "-e", "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True)
    *lines, first, second = ran.stdout.splitlines()
    tags = {name: commit for commit, name in (line.split() for line in lines if "refs/tags" in line)}
    assert tags["refs/tags/v0.1.0^{}"] == first
    assert tags["refs/tags/v0.1.1^{}"] == tags["refs/tags/v0"] == second
    assert f"v{__version__}" in commands
