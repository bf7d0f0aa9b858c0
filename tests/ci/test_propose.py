"""Edits and submissions become pull requests: the real command, real git, a real server and a small forge."""

import re
from collections.abc import Iterator

import pytest

from ..sampling import sampled
from .conftest import Project
from .pull_forge import Dialect
from .scheduled import EDITS, SUBMISSIONS, Schedule, runs_without_change, scheduled
from .test_gitlab import job
from .workflow import run_action


@pytest.fixture(params=sampled(["github", "forgejo", "gitlab"], every=3))
def schedule(request: pytest.FixtureRequest, project: Project) -> Iterator[Schedule]:
    dialect: Dialect = request.param
    with scheduled(project, dialect) as made:
        yield made


def bodies(schedule: Schedule) -> dict[str, str]:
    return {pull.head: pull.body for pull in schedule.forge.open_pulls}


def test_edits_and_submissions_each_have_a_pull_request_until_their_merge(schedule: Schedule) -> None:
    assert "error" not in schedule.proposed()
    assert schedule.forge.pulls == []
    schedule.edit("about", title="About us")
    schedule.submit("Sent in", url="https://sent.example.org/")
    schedule.proposed()
    assert bodies(schedule).keys() == {EDITS, SUBMISSIONS}
    edits, submissions = schedule.forge.open_pulls
    assert (edits.labels, submissions.labels) == (["contentsync"], ["contentsync", "submission"])
    assert "title: About us" in schedule.text_at(EDITS, "pages/about.md")
    assert len(schedule.pushes) == 1

    schedule.forget_writes()
    schedule.edit("team", title="The team")
    schedule.proposed()
    assert "title: The team\n# who we are" in schedule.text_at(EDITS, "pages/team.md")
    assert (len(schedule.pushes), {method for method, _ in schedule.forge.writes}) == (1, {schedule.change})
    assert len(schedule.forge.pulls) == 2

    schedule.merge(EDITS)
    schedule.forget_writes()
    schedule.proposed()
    assert [pull.head for pull in schedule.forge.open_pulls] == [SUBMISSIONS]
    schedule.edit("team", title="Our team")
    schedule.proposed()
    assert {pull.head for pull in schedule.forge.open_pulls} == {EDITS, SUBMISSIONS}


@pytest.mark.whole
def test_an_edit_that_is_reverted_on_the_server_closes_its_pull_request(schedule: Schedule) -> None:
    schedule.edit("about", title="About us")
    schedule.proposed()
    schedule.edit("about", title="About")
    schedule.proposed()
    assert schedule.forge.open_pulls == []
    assert schedule.project.origin.run("rev-parse", "--verify", "--quiet", f"refs/heads/{EDITS}").returncode == 1
    schedule.forget_writes()
    schedule.proposed()
    assert (schedule.pushes, schedule.forge.writes) == ([], [])


def test_a_branch_with_a_foreign_commit_is_left_unchanged_and_reported(schedule: Schedule) -> None:
    schedule.edit("about", title="About us")
    schedule.proposed()
    clone = schedule.project.clone
    clone.git("fetch", "--quiet", "origin")
    clone.git("checkout", "--quiet", "-b", "mine", f"origin/{EDITS}")
    clone.write("site/pages/about.md", "---\ntitle: About all of us\nslug: about\n---\nWe list tools.\n")
    clone.git("commit", "--quiet", "--all", "--message=A better title")
    clone.git("push", "--quiet", "origin", f"HEAD:{EDITS}")
    tip = clone.git("rev-parse", "HEAD")
    schedule.forget_writes()
    schedule.edit("team", title="The team")
    schedule.submit("Sent in", url="https://sent.example.org/")
    log = schedule.proposed()
    assert f"{EDITS} is left alone: " in log
    assert schedule.project.origin.git("rev-parse", EDITS) == tip
    assert {pull.head for pull in schedule.forge.open_pulls} == {EDITS, SUBMISSIONS}
    assert not any("1" in path.rpartition("/")[2] for _, path in schedule.forge.writes if "/pulls/" in path)


def test_the_action_proposes_on_a_schedule_with_a_read_only_token(project: Project) -> None:
    with scheduled(project, "github") as schedule:
        schedule.edit("about", title="About us")
        served = project.served
        inputs = {
            "path": "site",
            "command": "propose",
            "target": "production",
            "url": served.recorder.url,
            "token": served.reader,
            "github-token": schedule.forge.token,
        }
        event = ("schedule", {"schedule": "17 * * * *"}, "refs/heads/main")
        run = run_action(schedule.checkout(), project.temporary, inputs, *event, schedule.forge.address)
        assert not run.failed, run.log
        assert (run.outcomes["propose"], run.outcomes["sync"]) == ("success", "skipped")
        assert [pull.head for pull in schedule.forge.open_pulls] == [EDITS]
        assert f"- `{EDITS}`: opened, https://forge.example.com/o/r/pulls/1\n" in run.summary
        assert served.reader not in run.shown
        assert schedule.forge.token not in run.shown


def test_the_gitlab_job_pushes_to_the_address_of_the_project(project: Project) -> None:
    with scheduled(project, "gitlab") as schedule:
        schedule.edit("about", title="About us")
        environ = {
            **schedule.forge.environ,
            "CONTENTSYNC_READ_TOKEN": project.served.reader,
            "CONTENTSYNC_REMOTE": project.origin.path.as_uri(),
        }
        code, log = job("propose", project, schedule.checkout(), environ)
        assert code == 0, log
        assert [pull.head for pull in schedule.forge.open_pulls] == [EDITS]
        assert schedule.text_at(EDITS, "pages/about.md").startswith("---\ntitle: About us\n")


HOSTILE = (
    "::error file=x::owned",
    "${{ secrets.CONTENTSYNC_WRITE_TOKEN }}",
    "@all @octocat closes #1 !1",
    "<!-- contentsync proposal withdrawn -->",
    f"<!-- contentsync proposal {'a' * 32} {'b' * 16} -->",
    "</details><script>alert(1)</script>",
    "/merge",
    "```\n/close\n::set-output name=x::y\n```",
    "\u202eabc\u2066",
    "=cmd|' /C calc'!A0",
    "$(touch /tmp/owned) `touch /tmp/owned`",
)


def test_hostile_texts_stay_plain_text_in_the_log_and_the_pull_request(schedule: Schedule) -> None:
    hostile_command = HOSTILE[0]
    for number, text in enumerate(HOSTILE):
        title = " ".join(text.split())
        schedule.submit(title, url=f"https://e{number}.example.org/", description=text)
    schedule.edit("about", title=hostile_command, markdown="\n\n".join(HOSTILE))
    log = schedule.proposed()
    assert "owned" not in log
    assert "octocat" not in log
    for pull in schedule.forge.open_pulls:
        marker, _, description = pull.body.partition("\n")
        assert re.fullmatch(r"<!-- contentsync proposal [0-9a-f]{32} [0-9a-f]{16} -->\r?", marker)
        prose = without_code(description)
        for sign in ("::", "${{", "@", "<!--", "<script", "\u202e", "#1", "=cmd"):
            assert sign not in prose, (sign, prose)
        assert not re.search(r"^\s*/", prose, re.M)
        assert pull.title.isprintable()
        assert not set("@#<`$:") & set(pull.title)
    schedule.forget_writes()
    schedule.proposed()
    assert (schedule.pushes, schedule.forge.writes) == ([], [])


def without_code(markdown: str) -> str:
    """Return a Markdown text without its code."""
    markdown = re.sub(r"^(`{3,})[^`\n]*\n.*?^\1\s*$", "", markdown, flags=re.DOTALL | re.M)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", markdown)


def test_an_unreadable_server_closes_no_pull_request(schedule: Schedule) -> None:
    schedule.edit("about", title="About us")
    schedule.proposed()
    schedule.forget_writes()
    schedule.project.served.recorder.fails = lambda method, path: "projects" in path
    done = schedule.run()
    assert done.returncode == 4
    assert (schedule.pushes, schedule.forge.requests) == ([], [])


@pytest.mark.whole
def test_a_refused_push_opens_no_pull_request(schedule: Schedule) -> None:
    schedule.edit("about", title="About us")
    hook = schedule.project.origin.write("hooks/pre-receive", "#!/bin/sh\necho 'not allowed' >&2\nexit 1\n")
    hook.chmod(0o755)
    done = schedule.run()
    assert done.returncode != 0
    assert schedule.forge.writes == []


@pytest.mark.parametrize("runs", [2, pytest.param(25, marks=pytest.mark.whole)])
def test_runs_without_change_write_nothing(schedule: Schedule, runs: int) -> None:
    """`python -m tests.ci` makes 500 runs at each forge."""
    report = runs_without_change(schedule, runs)
    assert (report["pushes"], report["writes"]) == (0, 0)


@pytest.mark.whole
def test_a_commit_of_other_files_does_not_change_a_proposal(schedule: Schedule) -> None:
    schedule.edit("about", title="About us")
    schedule.proposed()
    schedule.project.clone.write("site/pages/new.md", "---\ntitle: New\n---\n")
    schedule.project.push("main")
    schedule.sync()
    schedule.forget_writes()
    schedule.proposed()
    assert (schedule.pushes, schedule.forge.writes) == ([], [])
