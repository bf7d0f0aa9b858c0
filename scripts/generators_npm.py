"""Record what the generators of npm build from the folders in tests/authoring/adopt/generators.

    python -m scripts.generators_npm FOLDER [NAME ...]

The packages of each generator are installed in a folder of FOLDER, unless they are there. A name is that of a generator
(`hexo`) or of a rule (`hexo/names`); without names, all rules are recorded. An entry is shown if its mark is in a page,
and in a list too if the generator can leave pages out of its lists. `scripts/generators.py` records the other rules.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.authoring.adopt.generators.rule_folders import EXPECTED, RULES, files_of, mark
from tests.authoring.adopt.repositories import write

_NO_TELEMETRY = {"ASTRO_TELEMETRY_DISABLED": "1", "DOCUSAURUS_DISABLE_TELEMETRY": "1"}
_UNLISTED = re.compile(r"<meta[^>]*\bcontent=\"noindex")  # in a page of Docusaurus that is in no list


@dataclass(frozen=True)
class Program:
    """The packages of a generator, and how it builds a site; the first package has the generator's version."""

    packages: Sequence[str]
    command: Sequence[str]
    config: str  # a pattern of the config's path, by which the folder of the site is found
    output: str
    pages: int = 1  # that have the mark of an entry which is shown: 2 if the site has a page that lists all


_ASTRO = Program(
    ("astro@5", "@astrojs/starlight@0.37", "@astrojs/mdx@4", "sharp"), ("astro", "build"), r"astro\.config\.mjs", "dist"
)
PROGRAMS = {
    "astro": _ASTRO,
    "starlight": _ASTRO,
    "docusaurus": Program(
        ("@docusaurus/core@3", "@docusaurus/preset-classic@3", "react@19", "react-dom@19"),
        ("docusaurus", "build"),
        r"docusaurus\.config\.js",
        "build",
    ),
    "eleventy": Program(
        ("@11ty/eleventy@3",), ("eleventy",), r"(?:\.eleventy\.js|eleventy\.config\.mjs|package\.json)", "_site", 2
    ),
    "hexo": Program(
        ("hexo@8", "hexo-renderer-ejs", "hexo-renderer-marked"), ("hexo", "generate"), r"_config\.yml", "public"
    ),
    "vitepress": Program(
        ("vitepress@1", "vue@3"), ("vitepress", "build"), r"\.vitepress/config\.\w+", ".vitepress/dist"
    ),
}


def main(folder: str, *names: str) -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    for rule in RULES:
        name = rule.partition("/")[0]
        program = PROGRAMS.get(name)
        if program and (not names or name in names or rule in names):
            packages = _install(Path(folder).resolve() / ("astro" if program is _ASTRO else name), program)
            expected[rule] = {"by": f"{name} {_version(program, packages)}", "shown": _built(program, rule, packages)}
            print(rule, *expected[rule]["shown"], sep="\n  ")
    known = {rule: expected[rule] for rule in RULES if rule in expected}
    EXPECTED.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _install(folder: Path, program: Program) -> Path:
    """Return the folder with the installed packages of a generator."""
    packages = folder / "node_modules"
    if not packages.exists():
        write(folder, {"package.json": '{"private": true}\n'})
        command = ["npm", "install", "--no-audit", "--no-fund", *program.packages]
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603  # ours
    return packages


def _version(program: Program, packages: Path) -> str:
    name = program.packages[0].rpartition("@")[0]
    version: str = json.loads((packages / name / "package.json").read_text(encoding="utf-8"))["version"]
    return version


def _built(program: Program, rule: str, packages: Path) -> list[str]:
    """Return the documents of a rule's folder that the generator shows."""
    files = files_of(rule)
    configs = (re.fullmatch(rf"(?P<folder>(?:.*/)?){program.config}", path) for path in files)
    folder_of_site = next(config["folder"] for config in configs if config)
    has_command = '"build"' in str(files.get("package.json"))
    with TemporaryDirectory() as folder:
        site = write(Path(folder), files) / folder_of_site
        (site / "node_modules").symlink_to(packages)
        command = (
            ["npm", "run", "build"] if has_command else [packages / ".bin" / program.command[0], *program.command[1:]]
        )
        result = subprocess.run(  # noqa: S603  # ours
            command, cwd=site, env={**os.environ, **_NO_TELEMETRY}, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise SystemExit(f"{rule}: {result.stdout}{result.stderr}")
        texts = (path.read_text(encoding="utf-8") for path in (site / program.output).rglob("*.html"))
        pages = [text for text in texts if not _UNLISTED.search(text)]

    def is_shown(path: str) -> bool:
        found = (re.search(rf"{mark(path)}\b", page) for page in pages)
        return sum(match is not None for match in found) >= program.pages

    return [path for path, source in files.items() if mark(path) in str(source) and is_shown(path)]


if __name__ == "__main__":
    main(*sys.argv[1:])
