"""Files with known mistakes, and what `validate --fix` makes of them: `make fuzz-fix`, `python -m tests.fuzz.fixes`.

Each file has mistakes whose fix is certain, doubtful ones that must stay, and values that must not change. Parsers
of other projects read the file afterwards: every value must be as expected, and the body the same bytes. A second run
must change nothing. The report has the seed of each file that was changed wrongly.
"""

import argparse
import csv
import io
import json
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import yaml

from contentsync.authoring.edit.fix_plan import apply_fixes, plan_fixes

from ..properties.file_formats import document, toml_document, toml_table
from .promises import emptied, write

FILES = 100  # of one folder
AROUND = {
    "contentsync.toml": b"",
    "categories.yaml": b"- title: Hand tools\n- title: Software\n  sync: {previous: [programs]}\n",
    "pages/about-us.md": b"---\ntitle: About us\nsync: {previous: [who-we-are]}\n---\n# Opening hours\n\nText\n",
}
Entry = dict[str, Any]
Mistake = tuple[Entry, Entry]  # the fields of an entry before and after

# By kind: mistakes whose fix is certain, at most one of each group in an entry.
CERTAIN: Mapping[str, Sequence[Sequence[Mistake]]] = {
    "page": (
        [
            ({"placement": word}, {"placement": "navbar"})
            for word in ("navbr", "nabvar", "Navbar", "navbar ", "navbaar")
        ],
        [({key: "5"}, {"order": "5"}) for key in ("ordr", "oder", "orderr", "Order", "order ", "or\u200bder")],
        [({"new_tba": "true"}, {"new_tab": "true"}), ({"newtab": "true"}, {"new_tab": "true"})],
        [({"seo": {"titel": "A: b"}}, {"seo": {"title": "A: b"}}), ({"soe": {"title": "x"}}, {"seo": {"title": "x"}})],
    ),
    "article": (
        [({"published_at": date}, {"published_at": "2026-03-14"}) for date in ("14/03/2026", "14.3.2026", "46095")],
        [({"publishd_at": date}, {"published_at": "2026-03-14"}) for date in ("2026-03-14", "14.03.2026")],
        [({"thumbnail_alt_txt": "a\tb"}, {"thumbnail_alt_text": "a\tb"})],
        [({"actve": "false"}, {"active": "false"}), ({"Active": "no"}, {"active": "no"})],
    ),
    "listing": (
        [({"latitude": "48,8566"}, {"latitude": "48.8566"}), ({"latitde": "1.5"}, {"latitude": "1.5"})],
        [({"descripton": "x"}, {"description": "x"}), ({"description": "a\u200bb"}, {"description": "ab"})],
        [
            ({"categories": ["hand-tols"]}, {"categories": ["hand-tools"]}),
            ({"categories": ["hand-tools", "programs"]}, {"categories": ["hand-tools", "software"]}),
        ],
        [({"logo_url": "http://https://a.example/x"}, {"logo_url": "https://a.example/x"})],
        [({"starts_at": "31/12/2026"}, {"starts_at": "2026-12-31"})],
    ),
}
# Values that a hint explains, but that only the author knows, or that are the identity of an entry.
DOUBTFUL: Mapping[str, Sequence[Entry]] = {
    "page": (
        {"placement": "top"},
        {"order": "first"},
        {"slgu": "x"},
        {"external_url": "www.example.org"},
        {"q2": "navbr"},
    ),
    "article": (
        {"published_at": "01/02/2026"},
        {"published_at": "30/02/2026"},
        {"slugg": "other"},
        {"author": "14/03/2026"},
    ),
    "listing": ({"longitude": "1,500"}, {"website": "x"}, {"email": "info at a.example"}, {"address": "1-Jan"}),
}
LINKS = (
    ("/pages/abot-us/", "/pages/about-us/"),
    ("/pages/who-we-are/?x=1", "/pages/about-us/?x=1"),
    ("/PAGES/about-us/", "/pages/about-us/"),
    ("/pages/about-us/#opening-hour", "/pages/about-us/#opening-hours"),
)
TEXTS = (
    *(
        "navbr",
        "14/03/2026",
        "48,8566",
        "titel: x",
        "A # b",
        "‘quoted’",
        '"q"',
        "it's",
        "a\\b",
        "日本",
        "é e\u0301",
        "- x",
        "[a](b)",
    ),
    *(
        "0123",
        "1e3",
        "yes",
        "null",
        "{a: b}",
        "/pages/abot-us/",
        "x" * 200,
        "=1+1",
        "|a|",
        "ordr: 5",
        "&a",
        "%s",
        "a, b; c",
    ),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A file with mistakes, and its entries and its body as they must be afterwards."""

    path: str
    data: bytes
    entries: Sequence[Entry]
    body: str
    fixes: int


def sample(random: Random, number: int) -> Sample:
    """Return a random file."""
    kind = random.choice(["page", "article", "listing"])
    suffix = random.choice(
        ["md", "toml.md", "yaml", "json", "toml", "csv", "tsv"] if kind == "listing" else ["md", "toml.md"]
    )
    count = 1 if suffix in ("md", "toml.md") else random.randint(1, 4)
    before: list[Entry] = []
    after: list[Entry] = []
    fixes = 0
    for index in range(count):
        name = f"{kind} {number} {index}"
        wrong: Entry = (
            {"name": name, "url": f"https://a.example/{number}/{index}"} if kind == "listing" else {"title": name}
        )
        right = dict(wrong)
        same = _other_fields(random, kind)
        # The key of an inline table of TOML has no known location.
        possible = [group for group in CERTAIN[kind] if suffix != "toml.md" or not _has_objects(group)]
        groups = random.sample(possible, random.randint(0, 3))
        parts = [random.choice(group) for group in groups] + [
            ({key: value}, {key: value}) for key, value in same.items()
        ]
        random.shuffle(parts)
        for old, new in parts:
            if wrong.keys().isdisjoint(old.keys() | new) and right.keys().isdisjoint(old.keys() | new):
                wrong |= old
                right |= new
                fixes += old != new
        before.append(wrong)
        after.append(right)
    text, final = _body(random) if suffix in ("md", "toml.md") else ("", "")
    fixes += text != final
    folder = {"page": "pages", "article": "articles", "listing": "listings"}[kind]
    if suffix in ("csv", "tsv"):
        before, after, fixes = _columns(random, before, after)
    path = f"{folder}/f{number}.{suffix.rpartition('.')[2]}"
    data = _written(random, suffix, before, text)
    if random.random() < 0.3:
        data = data.replace("\n", "\r\n")
    return Sample(path, data.encode("utf-8-sig" if random.random() < 0.2 else "utf-8"), after, final, fixes)


def _has_objects(group: Sequence[Mistake]) -> bool:
    return any(isinstance(value, dict) for old, _new in group for value in old.values())


def _other_fields(random: Random, kind: str) -> Entry:
    """Return fields without a mistake, and perhaps a doubtful one."""
    texts = {
        "page": ("seo_x",),
        "article": ("thumbnail_alt_text",),
        "listing": ("description", "address", "image_alt_text"),
    }
    fields = {name: random.choice(TEXTS) for name in texts[kind] if name != "seo_x" and random.random() < 0.6}
    if random.random() < 0.15:
        fields |= random.choice(DOUBTFUL[kind])
    return fields


def _body(random: Random) -> tuple[str, str]:
    """Return a body before and after."""
    words = " ".join(random.choices([*TEXTS, "a\u200bb", "*x*", "`/pages/abot-us/`", "\n\n"], k=random.randint(1, 8)))
    if random.random() < 0.4:
        old, new = random.choice(LINKS)
        return f"{words}\n\n[x]({old})  \nand {words}", f"{words}\n\n[x]({new})  \nand {words}"
    return words, words


def _columns(random: Random, before: Sequence[Entry], after: Sequence[Entry]) -> tuple[list[Entry], list[Entry], int]:
    """Return the rows of a table with one mistake in a column for all rows, or with one in each cell."""
    first_wrong, first_right = before[0], after[0]
    wrong, right = [], []
    for number, row in enumerate(before):
        identity = {"name": row["name"], "url": row["url"]}
        rest = [(key, value) for key, value in first_wrong.items() if key not in identity]
        wrong.append(identity | dict(rest))
        right.append(identity | {key: value for key, value in first_right.items() if key not in identity})
        if "address" not in first_wrong and "address" not in first_right and "adress " not in first_wrong:
            protected = random.random() < 0.5
            wrong[-1]["address"] = f'="0{number}"' if protected else f"0{number}"
            right[-1]["address"] = f"0{number}"
    return wrong, right, sum(old != new for old, new in zip(wrong, right, strict=True))


def _written(random: Random, suffix: str, entries: Sequence[Entry], body: str) -> str:
    comment = random.choice(["", "# navbr: 14/03/2026\n"])
    if suffix == "md":
        return document({**entries[0], "body": body}, lambda fields: comment + _yaml(random, fields, ""))
    if suffix == "toml.md":
        return toml_document({**{_toml_key(key): value for key, value in entries[0].items()}, "body": body})
    if suffix == "json":
        return json.dumps(entries, indent=random.choice([None, 1]), ensure_ascii=random.random() < 0.5) + "\n"
    if suffix == "toml":
        return "".join(
            f"[[listings]]\n{toml_table({_toml_key(key): value for key, value in each.items()})}" for each in entries
        )
    if suffix == "yaml":
        return comment + "".join(f"-\n{_yaml(random, each, '  ')}" for each in entries)
    text = io.StringIO(newline="")
    quoting: Any = random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    writer = csv.writer(text, delimiter="," if suffix == "csv" else "\t", quoting=quoting, lineterminator="\n")
    writer.writerow(entries[0])
    writer.writerows(
        ["|".join(value) if isinstance(value, list) else value for value in each.values()] for each in entries
    )
    return text.getvalue()


def _toml_key(key: str) -> str:
    return key if key.replace("_", "a").isalnum() and key.isascii() else json.dumps(key, ensure_ascii=False)


def _yaml(random: Random, fields: Mapping[str, Any], indent: str) -> str:
    """Return a mapping in which each value is spelled in one of its ways, some with a comment."""
    lines = []
    for key, value in fields.items():
        shown = key if key.replace("_", "a").isalnum() and key.isascii() else json.dumps(key, ensure_ascii=False)
        comment = random.choice(["", "", "  # a comment: navbr"])
        if isinstance(value, dict):
            lines.append(f"{indent}{shown}:{comment}\n{_yaml(random, value, indent + '  ')}")
        elif isinstance(value, list) and random.random() < 0.5:
            lines.append(
                f"{indent}{shown}:{comment}\n" + "".join(f"{indent}- {_scalar(random, each)}\n" for each in value)
            )
        elif isinstance(value, list):
            lines.append(f"{indent}{shown}: [{', '.join(json.dumps(each) for each in value)}]{comment}\n")
        else:
            lines.append(f"{indent}{shown}: {_scalar(random, value)}{comment}\n")
    return "".join(lines)


def _scalar(random: Random, text: str) -> str:
    spellings = [json.dumps(text, ensure_ascii=False)]
    if text.isprintable():
        spellings.append("'" + text.replace("'", "''") + "'")
        if yaml.load(f"a: {text}  # x", yaml.BaseLoader) == {"a": text} if _is_plain(text) else False:
            spellings.append(text)
    return random.choice(spellings)


def _is_plain(text: str) -> bool:
    return text[:1].isalnum() and ": " not in text and " #" not in text and text == text.strip()


def problems_of(each: Sample, after: bytes, again: bytes) -> str:
    """Return what is wrong with a file after its fixes, and after a second run; "" if nothing is."""
    if again != after:
        return "a second run changes it"
    if each.data.startswith(b"\xef\xbb\xbf") != after.startswith(b"\xef\xbb\xbf"):
        return "its byte order mark"
    lines, new_lines = each.data.splitlines(keepends=True), after.splitlines(keepends=True)
    changed = sum(old != new for old, new in zip(lines, new_lines, strict=False))
    if len(lines) != len(new_lines):
        return f"{len(lines)} lines became {len(new_lines)}"
    entries, body = _read(each.path, after.decode("utf-8-sig").replace("\r\n", "\n"))
    if body != each.body:
        return f"its body is {body!r}, not {each.body!r}"
    if entries != each.entries:
        return f"its values are {entries!r}, not {each.entries!r}"
    return "" if each.fixes or not changed else f"{changed} lines changed without a fix"


def _read(path: str, text: str) -> tuple[list[Entry], str]:
    """Return the entries and the body of a file, read by other parsers, with every scalar as text."""
    if path.endswith(".md"):
        fence = text[:3]
        _, block, body = text.split(f"{fence}\n", 2)
        values = tomllib.loads(block) if fence == "+++" else yaml.load(block, yaml.BaseLoader)
        return [values], body.removesuffix("\n")
    if path.endswith((".csv", ".tsv")):
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter="," if path.endswith("csv") else "\t")
        return [
            {key: value.split("|") if key == "categories" else value for key, value in row.items()} for row in rows
        ], ""
    readers: Mapping[str, Callable[[str], Any]] = {
        "yaml": lambda text: yaml.load(text, yaml.BaseLoader),
        "json": json.loads,
        "toml": lambda text: tomllib.loads(text)["listings"],
    }
    return readers[path.rpartition(".")[2]](text), ""


def run_folder(seed: int, count: int, folder: Path) -> tuple[dict[str, Sample], dict[str, str]]:
    """Fix a folder of random files, and return the files and what is wrong, by path."""
    random = Random(seed)
    samples = {each.path: each for each in (sample(random, number) for number in range(count))}
    write({**AROUND, **{path: each.data for path, each in samples.items()}}, folder)
    apply_fixes(plan_fixes(folder))
    after = {path: (folder / path).read_bytes() for path in [*AROUND, *samples]}
    apply_fixes(plan_fixes(folder))
    wrong = {path: "a file without a mistake changed" for path, data in AROUND.items() if after[path] != data}
    for path, each in samples.items():
        if problem := problems_of(each, after[path], (folder / path).read_bytes()):
            wrong[path] = problem
    return samples, wrong


def main() -> int:
    """Fix folders until enough files were read, and write the report; return 1 if a file was changed wrongly."""
    parser = argparse.ArgumentParser(prog="make fuzz-fix", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first folder; default: the clock")
    parser.add_argument("--out", type=Path, default=Path("test-output/fixes.json"), help="where the report goes")
    options = parser.parse_args()
    files = fixes = 0
    failures = []
    with tempfile.TemporaryDirectory() as name:
        for seed in range(options.seed, options.seed + -(-options.files // FILES)):
            emptied(Path(name))
            samples, wrong = run_folder(seed, FILES, Path(name))
            files += len(samples)
            fixes += sum(each.fixes for each in samples.values())
            failures += [{"seed": seed, "path": path, "problem": problem} for path, problem in wrong.items()]
    report = {"seed": options.seed, "files": files, "fixes": fixes, "failures": failures}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{files:,} files with {fixes:,} mistakes, {len(failures)} changed wrongly: {options.out}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
