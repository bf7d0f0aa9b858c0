"""`contentsync adopt`: the proposal is shown, and only written with --write."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.cli import run
from contentsync.content.folder.load import load_content
from contentsync.errors import Problem, Where
from contentsync.report.adoption_report import closing_table

from ..authoring.adopt.repositories import NOW, REPOSITORIES, jekyll, write

Command = Callable[..., tuple[int, str, str]]
CLOSING_LINES = 30


@pytest.fixture
def adopt(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `contentsync adopt` and returns its exit code, stdout and stderr."""

    def command(*arguments: object) -> tuple[int, str, str]:
        code = run(["adopt", *map(str, arguments)])
        return code, *capsys.readouterr()

    return command


def test_adopt_prints_the_proposal_and_writes_nothing(adopt: Command, tmp_path: Path) -> None:
    write(tmp_path, jekyll(12))
    before = sorted(tmp_path.rglob("*"))
    code, out, err = adopt(tmp_path)
    assert code == 0
    assert out.startswith('contentsync.toml (new):\n    [site]\n    name = "The Lending Shed"\n')
    assert '    date = "published_at" # 14 articles\n' in out  # with two translations
    assert "Jekyll, recognised by _config.yml\n" in out
    assert (
        "entries             found    valid\n  pages                 2        2\n  articles             13       12\n"
        in out
    )
    assert "problems left: 1 error, 10 warnings\n       1 unknown-key            `tittle` of articles, first at " in out
    assert err == "nothing was written; --write writes contentsync.toml\n"
    assert sorted(tmp_path.rglob("*")) == before


def test_guesses_are_reported(adopt: Command, tmp_path: Path) -> None:
    write(tmp_path, REPOSITORIES["awesome"](24))
    _, out, err = adopt(tmp_path, "--yes", "--write")
    assert "  guessed: Declare license, stars, released, archived and 1 more as custom fields, " in out
    assert "… and 11 more lines (--full shows all)\n" in out
    assert "written: contentsync.toml, custom_fields.yaml, categories.yaml, tags.yaml\n" in err
    assert "    - label: Source code\n" in adopt(write(tmp_path / "b", REPOSITORIES["awesome"](24)), "--full")[1]


def test_a_second_adoption_prints_only_new_settings(adopt: Command, tmp_path: Path) -> None:
    write(tmp_path, jekyll(12))
    adopt(tmp_path, "--write")
    config = (tmp_path / "contentsync.toml").read_text(encoding="utf-8") + "# ours\n"
    write(tmp_path, {"contentsync.toml": config, "_posts/2024-05-05-new.md": "---\ntitle: New\ntoc: true\n---\nText\n"})
    _, out, err = adopt(tmp_path, "--write")
    shown = out.partition("\n\n")[0].splitlines()
    assert shown[0] == "contentsync.toml gets:"
    assert [line for line in shown if line.startswith("    +")] == ['    +    "toc", # 1 article']
    assert err.startswith("written: contentsync.toml\n")
    assert (tmp_path / "contentsync.toml").read_text(encoding="utf-8").endswith("# ours\n")
    assert adopt(tmp_path)[2] == "nothing to add: the config covers the folder\n"


def test_a_file_instead_of_a_folder_is_refused(adopt: Command, tmp_path: Path) -> None:
    assert adopt(tmp_path / "none")[0] == 64


def test_a_config_behind_a_symbolic_link_is_not_written(adopt: Command, tmp_path: Path) -> None:
    target = tmp_path / "other.toml"
    target.write_text("", encoding="utf-8")
    folder = write(tmp_path / "site", {"_posts/2024-01-01-a.md": "---\ntitle: A\nlayout: x\n---\nText\n"})
    (folder / "contentsync.toml").symlink_to(target)
    assert adopt(folder, "--write")[0] == 1
    assert target.read_text(encoding="utf-8") == ""


def test_the_closing_table_has_at_most_30_lines(tmp_path: Path) -> None:
    write(tmp_path, jekyll(3))
    adoption = propose_adoption(tmp_path, DefaultAnswers(), NOW)
    problems = [Problem(f"code-{number % 50}", "x" * 500, Where(f"a{number}.md")) for number in range(4000)]
    report = replace(adoption.trial.report, problems=tuple(problems))
    trial = adoption.trial._replace(report=report)
    many = replace(adoption, trial=trial, notes=tuple(map(str, range(50))), limit_note="only a part was examined")
    lines = "".join(closing_table(many, ["a guess"] * 5, full=False)).splitlines()
    assert len(lines) <= CLOSING_LINES
    assert "  … and 49 more notes (--full shows all)" in lines
    assert lines[-1].split() == ["3,040", "others", "with", "38", "other", "causes"]
    assert len("".join(closing_table(many, [], full=True)).splitlines()) > 100
    guesses = [f"a guess {number}" for number in range(14)]
    lines = "".join(closing_table(many, guesses, full=False)).splitlines()
    assert len(lines) <= CLOSING_LINES
    assert lines[2:16] == [f"  guessed: {guess}" for guess in guesses]
    assert lines[-1].endswith("other causes")


def test_validate_reads_the_config_that_adopt_wrote(adopt: Command, tmp_path: Path) -> None:
    write(tmp_path, REPOSITORIES["spreadsheet"](24))
    adopt(tmp_path, "--write")
    assert [problem.code for problem in load_content(tmp_path).problems] == ["legacy-encoding", "out-of-range"]


MISTAKES = (
    "layuot: post",
    "date: yesterday",
    "title: " + "x" * 300,
    "tags: {a: 1}",
    "seo: {titel: x}",
    "active: maybe",
)


@pytest.mark.parametrize("count", [120, pytest.param(4000, marks=pytest.mark.whole)])
def test_the_first_run_over_many_files_ends_with_at_most_30_lines(
    adopt: Command, capsys: pytest.CaptureFixture[str], count: int, tmp_path: Path
) -> None:
    for number in range(count):
        kind = f"posts/{number % 7}" if number % 2 else "docs"
        front = [f"title: {number}", *(MISTAKES[number % 6 : number % 6 + 1]), f"key{number % 50}: {{{{ x }}}}"]
        text = f"# Heading\n\n[x](nowhere-{number}.md) {{{{< chart {number} >}}}} ![](/none-{number}.png)\n"
        write(tmp_path, {f"{kind}/{number}.md": "\n".join(["---", *front, "---", text])})
    out = adopt(tmp_path, "--yes", "--write")[1]
    closing = out[out.index("no site generator recognised") :].splitlines()
    assert len(closing) <= CLOSING_LINES
    assert run(["validate", str(tmp_path)]) == 1
    shown = "".join(capsys.readouterr())
    assert 5 < len(shown.splitlines()) <= CLOSING_LINES
    run(["validate", str(tmp_path), "--full"])
    assert len("".join(capsys.readouterr()).splitlines()) > count
