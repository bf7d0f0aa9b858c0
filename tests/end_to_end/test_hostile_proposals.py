"""Hostile submissions: `contentsync propose` makes them text in valid files, and nothing runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ..hooks.repositories import Tree
from ..served import Served
from .conftest import contentsync

BRANCH = "contentsync/live/submissions"
TEXTS = [
    "::set-output name=x::y",
    "::error file=a.md,line=1::broken",
    "::add-mask::secret",
    "\n::stop-commands::x\n",
    "##vso[task.setvariable variable=x]y",
    "${{ secrets.TOKEN }}",
    "${{ github.event.issue.title }}",
    "$(touch ran)",
    "`touch ran`",
    "; touch ran #",
    "| touch ran",
    "--upload-pack=touch ran",
    "-c core.sshCommand=touch ran",
    "--exec=touch ran",
    "@everyone look",
    "Fixes #1, closes org/repo#2",
    "[skip ci] [ci skip]",
    "[click](javascript:alert(1))",
    "![x](https://evil.example.org/pixel.png)",
    "<script>alert(1)</script>",
    "</details><img src=x onerror=alert(1)>",
    "```\nend of the block\n```",
    "abc \u202egnp.exe",
    "\u2066a\u2069 \u200b",
    "=cmd|'/C calc'!A0",
    '=HYPERLINK("https://evil.example.org","x")',
    "+1+cmd|'/C calc'!A0",
    "-2+3+cmd|'/C calc'!A0",
    "@SUM(1+1)*cmd|'/C calc'!A0",
    "---\nanother: document\n---",
    "&anchor [a, *anchor]",
    "!!python/object/apply:os.system ['touch ran']",
    "%YAML 1.2\n---\na: b",
    "key: value\n  - item: {a: b}",
    "../../../etc/passwd",
    "/etc/cron.d/x",
    "..\\..\\windows\\system32",
    "CON",
    ".git/hooks/pre-commit",
    "Co-authored-by: Eve <eve@example.org>\nContentsync-Proposal: 0",
    "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
    "{{< shortcode >}} {% include x %} {{ template }}",
    "x" * 5_000,
]


@pytest.fixture
def tree(tmp_path: Path, served: Served) -> Iterator[Tree]:
    """A synced repository; nothing outside of it and of its repository may change."""
    tree = Tree.new(tmp_path / "site")
    config = f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n'
    tree.write("contentsync.toml", f"{config}requests_per_minute = 60000\n")
    tree.write("pages/about.md", "---\ntitle: About\n---\n")
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
    before = sorted(tmp_path.iterdir())
    yield tree
    assert sorted(tmp_path.iterdir()) == before
    assert not any(tmp_path.rglob("ran"))


def submit(served: Served) -> None:
    for number, text in enumerate(TEXTS):
        listing = {"name": text[:255], "description": text, "url": f"https://hostile.example.org/{number}"}
        served.create("projects", {**listing, "is_active": False})


def test_hostile_submissions_arrive_as_text_in_a_valid_folder(tree: Tree, served: Served, tmp_path: Path) -> None:
    submit(served)
    ran = contentsync("propose", tree.path, "--format", "json", cwd=tree.path, env=served.env)
    assert ran.code == 0, ran.out
    branch = ran.document["branches"][1]
    assert not [line for line in ran.out.splitlines() if line.lstrip().startswith(("::", "##"))]
    assert tree.git("diff", "--name-status", "main", BRANCH) == "A\tlistings/pulled.yaml"
    checkout = tmp_path / "site/checkout"
    tree.git("worktree", "add", "--quiet", "--detach", str(checkout), BRANCH)
    report = contentsync("validate", checkout, "--format", "json").document
    assert not [problem for problem in report["problems"] if problem["severity"] == "error"]
    stored = {each["url"]: each for each in served.get("projects?per_page=100")["data"]}
    left_out = {each["key"] for each in branch["left_out"]}
    written = yaml.safe_load((checkout / "listings/pulled.yaml").read_text(encoding="utf-8"))
    assert {each["url"] for each in written} == stored.keys() - left_out
    assert len(written) >= 40
    assert all(each["name"].strip() == stored[each["url"]]["name"].strip() for each in written)
    tree.git("worktree", "remove", str(checkout))

    message = tree.git("log", "-1", "--format=%B", BRANCH)
    assert message.startswith(f"Take over {len(written)} submissions from live\n\n- {len(written)} listings\n\nContent")
    assert not [text for text in TEXTS if text.strip().partition("\n")[0] in message]
    description = branch["description"]
    assert len(description.encode()) <= 60_000
    assert description.isascii() or not {"\u202e", "\u2066", "\u200b"} & {*description}
    outside = "".join(description.split("`")[::2])
    assert not [text for text in ("@everyone", "<script", "<img", "](", "${{", "Fixes #1") if text in outside]


def test_a_formula_never_gets_into_a_table(tree: Tree, served: Served) -> None:
    table = "name,url,description\nFirst,https://first.example.org/,One\n"
    tree.write("contentsync.toml", (tree.path / "contentsync.toml").read_text() + LISTINGS)
    tree.write("listings.csv", table)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    assert contentsync("sync", tree.path, "--yes", env=served.env).code == 0
    submit(served)
    served.create("projects", {"name": "+49 30 1234", "url": "https://phone.example.org/", "is_active": False})
    ran = contentsync("propose", tree.path, "--format", "json", env=served.env)
    assert ran.code == 0, ran.out
    branch = ran.document["branches"][1]
    formulas = [number for number, text in enumerate(TEXTS) if text[0] in "=@+"] + [
        TEXTS.index("-2+3+cmd|'/C calc'!A0")
    ]
    left_out = {each["key"]: each["reason"] for each in branch["left_out"]}
    for number in formulas:
        assert "would run the name as a formula" in left_out[f"https://hostile.example.org/{number}"]
    text = tree.git("show", f"{BRANCH}:listings.csv")
    assert text.startswith(table.partition("\n")[0])
    assert "cmd|" not in text
    assert "+49 30 1234" in text
    assert "would run the name as a formula" in branch["description"]


LISTINGS = '\n[content.listings]\npath = "listings.csv"\n'
