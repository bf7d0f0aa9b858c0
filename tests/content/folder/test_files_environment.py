"""The same folder has the same result on every machine and at every time; a missing program is named."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ...sampling import sampled
from ..conftest import write

PACKAGE = Path(__file__).parents[3] / "contentsync"
# Runs `validate` in the first folder and `plan` in the second.
BOTH = (
    "import sys; from contentsync.cli import run; "
    "print(*[run([command, sys.argv.pop(1), '--format', 'json']) for command in ('validate', 'plan')])"
)
CLOCK = (
    "import sys, time; now = time.time, time.time_ns; away = 86400 * int(sys.argv.pop(1)); "
    "time.time = lambda: now[0]() + away; time.time_ns = lambda: now[1]() + away * 10**9; "
)
FILES = {
    "contentsync.toml": '[site]\nname = "Café"\nlocales = ["en", "tr"]\ntimezone = "Europe/London"\n',
    "pages/ISTANBUL.md": "---\ntitle: ISTANBUL İğne\n---\nText\n",
    "pages/ılık-☕.md": "---\ntitle: Ilık 😀\nads: one\ntilte: İ\n---\nText\n",
    "articles/2026-03-29-straße.md": "---\ntitle: Straße\npublished_at: 2026-03-29 01:30\n---\nText\n",
    "listings/a.csv": "name,url,ends_at\nIĞDIR,https://a.example/,2026-05-01\n",
}
SOUND = {name: text.replace("tilte: İ\n", "").replace("ads: one\n", "") for name, text in FILES.items()}


def run(env: Mapping[str, str], *python: object) -> str:
    """Return the output of a Python process whose environment has only these variables."""
    done = subprocess.run(
        [sys.executable, *map(str, python)],
        env={"PYTHONPATH": str(PACKAGE.parent), **env},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.stdout.decode("utf-8")


def documents(out: str) -> list[Any]:
    """Return the JSON documents of an output, and the exit codes behind them."""
    found, rest = [], out
    while rest.startswith("{"):
        document, end = json.JSONDecoder().raw_decode(rest)
        found.append(document)
        rest = rest[end:].lstrip()
    return [*found, *map(int, rest.split())]


def answers(folder: Path, env: Mapping[str, str], before: str = "", *arguments: object) -> str:
    """Return the output of `validate` for a folder with errors, and of `plan` for a folder without."""
    bad, good = folder / "bad", folder / "good"
    if not good.exists():
        write(bad, FILES)
        write(good, SOUND)
    return run(env, "-c", before + BOTH, *arguments, bad, good)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def usual(folder: Path) -> str:
    """Return the output in an ordinary environment."""
    out = answers(folder, {"LC_ALL": "C.UTF-8", "TZ": "UTC"})
    validated, plan, *codes = documents(out)
    assert codes == [1, 0]
    assert {problem["code"] for problem in validated["problems"]} >= {"unknown-key", "clock-change"}
    assert {change["key"] for change in plan["changes"]} == {"istanbul", "ilik", "strasse", "https://a.example"}
    return out


@pytest.fixture
def locale_folder(locale: str, tmp_path: Path) -> Path:
    """Return a folder with a locale that this machine need not have."""
    if not shutil.which("localedef"):
        pytest.skip("there is no localedef here, which makes locales")
    language, _, charset = locale.partition(".")
    command = ["localedef", "-i", language, "-f", charset, str(tmp_path / locale)]
    if subprocess.run(command, capture_output=True, check=False).returncode > 1:  # 1: with warnings
        pytest.skip("localedef has no definitions here")
    return tmp_path


@pytest.mark.parametrize(
    ("locale", "zone"),
    sampled([("tr_TR.ISO-8859-9", "America/St_Johns"), ("tr_TR.UTF-8", "Asia/Kathmandu")], every=2),
)
def test_the_locale_and_time_zone_of_the_machine_have_no_effect(
    folder: Path, usual: str, locale_folder: Path, locale: str, zone: str
) -> None:
    """TM-01, TM-12"""
    assert answers(folder, {"LOCPATH": str(locale_folder), "LC_ALL": locale, "TZ": zone}) == usual


@pytest.mark.parametrize(
    ("env", "days"),
    sampled([({"LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Europe/London"}, 1), ({"LANG": "C"}, -1)], every=2),
)
def test_a_wrong_clock_or_a_missing_locale_has_no_effect(
    folder: Path, usual: str, env: dict[str, str], days: int
) -> None:
    """TM-01, TM-04, TM-12"""
    assert answers(folder, env, CLOCK, days) == usual


@pytest.mark.parametrize("room", ["content", "model", "report"])
def test_no_rule_reads_the_clock(room: str) -> None:
    """TM-04"""
    modules = [file.read_text(encoding="utf-8") for file in (PACKAGE / room).rglob("*.py")]
    asking = [ast.parse(module) for module in modules if re.search(r"\b(?:time|datetime|date)\b\s*\.", module)]
    nodes = [node for module in asking for node in ast.walk(module)]
    asked = {
        ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert modules
    assert not {"time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime", "time.ctime"} & asked
    assert not {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"} & asked


def test_a_missing_time_zone_database_names_the_package_to_install(tmp_path: Path) -> None:
    """TM-11"""
    without = (
        "import sys\n"
        "class Without:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] == 'tzdata':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Without())\n"
        "from contentsync.cli import run\n"
        "print(*[run(['validate', folder, '--format', 'json']) for folder in sys.argv[1:]])\n"
    )
    folders = []
    for zone in ("Europe/London", "UTC"):
        config = f'[site]\nname = "Test"\ntimezone = "{zone}"\n'
        files = {"contentsync.toml": config, "pages/a.md": "---\ntitle: A\n---\nText\n"}
        folders.append(write(tmp_path / zone, files))
    in_london, in_utc, *codes = documents(run({"PYTHONTZPATH": ""}, "-c", without, *folders))
    problems = [(problem["line"], problem["code"], problem["hint"]) for problem in in_london["problems"]]
    assert problems == [(3, "no-tzdata", "run pip install tzdata")]
    assert in_utc["problems"] == []
    assert codes == [1, 0]


def read_only(folder: Path) -> list[str]:
    """Return the words before a command that prevent it from writing into a folder."""
    if os.geteuid() != 0:
        for place in (folder, *folder.rglob("*")):
            place.chmod(0o555 if place.is_dir() else 0o444)
        return []
    mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    prefix = ["unshare", "--mount", "sh", "-c", mount, str(folder)]
    if not shutil.which("unshare") or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        pytest.skip("the administrator can write everywhere, and mounting is not allowed here")
    return prefix


def test_a_folder_on_a_read_only_disk_is_validated_without_a_home(tmp_path: Path) -> None:
    """FI-25"""
    pages = {f"pages/page-{number}.md": f"---\ntitle: Page {number}\n---\nText\n" for number in range(600)}
    root = write(tmp_path / "site", pages)
    prefix = read_only(root)
    touch = subprocess.run([*prefix, "touch", str(root / "x")], capture_output=True, check=False)
    assert touch.returncode != 0
    outcomes = []
    for command in ("validate", "plan"):
        done = subprocess.run(
            [*prefix, sys.executable, "-m", "contentsync", command, str(root), "--format", "json"],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PACKAGE.parent)},
            cwd="/",
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        outcomes.append((done.returncode, done.stdout, done.stderr))
    (validated, report, _), (planned, _, reported) = outcomes
    assert (validated, json.loads(report)["summary"]["files"]) == (0, 600)
    assert (planned != 0, b".contentsync" in reported) == (True, True)  # the embedded database lies in the folder
