"""What `--format json` prints, as it came out of real runs on a small folder."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from contentsync.cli import run
from contentsync.git import environ_without_hook, git_read

from . import page

ABOUT = "---\ntitle: {}\n---\nWho we are.\n"
WITH_STORE = '[assets]\nstore = "../published"\nstore_url = "https://cdn.example.com/"\n'
WITH_SOURCE = '[sources.tools]\nurl = "{}"\nfile = "listings/tools.csv"\n'
REMEMBERED = (
    '{"url": "http://saw.example.org/", "moved": ["2026-11-09", "2026-11-16"], "moved_to": "https://saw.example.org/"}\n'
    '{"url": "https://club.example.org/", "failed": ["2026-11-02", "2026-11-09", "2026-11-16"], "reason": "410 Gone"}\n'
)
OLD = "---\ntitle: Old news\n---\n"

# What is another one in every run.
_CHANGING = [
    (re.compile(r"\d{8}T\d{6}Z-\d{6}-\d+"), "20261121T204204Z-512345-12"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), "2026-11-21T20:42:04Z"),
    (re.compile(r"(?<=\")[0-9a-f]{64}(?=\")"), "5f1c" * 16),
    (re.compile(r"(?<=\")[0-9a-f]{40}(?=\")"), "5f1c" * 10),
]


def documents_page() -> str:
    """Return the page with a document of each command, in the order in which a user might run them."""
    with TemporaryDirectory() as folder, chdir(folder):
        shown = list(_shown(Path(folder).resolve()))
    return page(
        "JSON output",
        "With `--format json`, a command prints one document on stdout. Its [exit code](commands.md#exit-codes) stays\n"
        "the same. Each document has a `version`. A new release may add keys. If it removes a key or changes the\n"
        "meaning of one, the `version` changes too. The commands below ran in one folder, one after the other.",
        *shown,
    )


def _shown(folder: Path) -> Iterator[str]:
    site = folder / "my-site"
    yield from _run(folder, 0, "init my-site")
    for file in [*site.rglob("*.*")]:
        if file.is_file() and file.name != "contentsync.toml":
            file.unlink()
    os.chdir(site)
    yield from _run(folder, 0, "new page about")
    (site / "pages/about.md").write_text(ABOUT.format("About").replace("title", "titel"), encoding="utf-8")
    (site / "pages/old.md").write_text(OLD, encoding="utf-8")
    yield from _run(folder, 1, "validate")
    yield (
        "With `--commits REF`, `trailers` lists those of the commits:"
        ' `[{"commit": "1f0c...", "author": "Ada", "trailer": "deletes=14", "error": null}]`.'
    )
    yield "With `--fix`, the document is that of the folder afterwards, with the edits:"
    yield from _run(folder, 0, "validate --fix --yes")[1:]
    (site / "pages/about.md").write_text(ABOUT.format("About").replace("title", "titel"), encoding="utf-8")
    yield "If a command cannot do its work, the document has the reason as `error`, and the `problems` of the content:"
    yield from _run(folder, 1, "plan")
    (site / "pages/about.md").write_text(ABOUT.format("About"), encoding="utf-8")
    _run(folder, 0, "sync --yes")
    (site / "pages/about.md").write_text(ABOUT.format("About us"), encoding="utf-8")
    yield from _run(folder, 0, "plan")
    yield (
        'If addresses of pages move, `moves` lists them: `[{"kind": "page", "from": "old-slug", "to": "new-slug"}]`.'
        " If files could not be read at the commit that is the base, `base_unknown` lists them:"
        ' `[{"path": "listings/all.csv", "reason": "..."}]`.'
        " With `--base git:REF`, `consents` lists the trailers of commits that consent to the plan:"
        ' `[{"commit": "1f0c...", "author": "Ada", "trailer": "deletes=20", "consent": "deletes", "allowed": 20,'
        ' "number": 14}]`. `faulty_trailers` lists those that consent to nothing, with the reason as `error`, and'
        " `missing_trailer` is the line that would consent to what the plan is refused for."
    )
    yield from _run(folder, 0, "sync --yes")
    yield from _run(folder, 0, "undo --yes")
    yield from _run(folder, 0, "status --upcoming=30d")
    yield from _run(folder, 0, "log page/about")
    yield from _run(folder, 0, "list page --sort=-title")
    yield from _run(folder, 0, "set page order=1 --yes")
    _output("set page --unset=order --yes", 0)
    yield from _links(folder, site)
    yield from _run(folder, 0, "drift")
    yield from _run(folder, 0, "pull --yes")
    yield from _run(folder, 0, "mv page/about team --yes")
    yield (
        "With `--merge`, `merge` has the file of the entry that is left (`path`), the `fields` that it takes from the"
        " other one, the slugs in its note (`merged`), the file that the other one is `removed_from`, the `deleted`"
        " files, and whether the other one was `protected`, so that no sync deletes its record:"
        ' `{"path": "tags.yaml", "fields": ["color"], "merged": ["bike"], "removed_from": "tags.yaml", "deleted": [],'
        ' "protected": false}`.'
    )
    _output("mv page/team about --yes", 0)
    (site / "pages/old.md").unlink()
    yield from _run(folder, 0, "forget page/old")
    (site / "contentsync.toml").write_text(WITH_STORE, encoding="utf-8")
    (site / "categories.yaml").write_text("- { title: Tools, custom_icon_url: tools.svg }\n", encoding="utf-8")
    (site / "tools.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    plan = json.loads(_output("plan --format json", 0))
    _output("sync --yes", 0)
    yield from _run(folder, 0, "assets")
    yield "A plan that publishes files also has `uploads`, and so has the document of `sync`:"
    yield f"```json\n{json.dumps({'uploads': plan['uploads']}, indent=2)}\n```"
    yield from _fetch(folder, site)
    yield from _run(folder, 0, "admin directory list")
    _commit(site)
    (site / "pages/about.md").write_text(ABOUT.format("About our team"), encoding="utf-8")
    _output("sync --yes --format json", 0)
    yield "Before the next command, another user changed a title on the server:"
    yield from _run(folder, 0, "propose --base=git:HEAD")
    yield "## Events"
    yield (
        "With `--format jsonl`, `sync` and `undo` print each event on its own line as soon as it happens: the plan,\n"
        "the result of each change, and the end. A second `plan` follows if the server's list was wrong and the sync\n"
        "planned again. If the command cannot do its work, the event is an `error`. Each event has a `version`."
    )
    (site / "pages/about.md").write_text(ABOUT.format("About them"), encoding="utf-8")
    yield from _run_events(folder, 0, "sync --yes")
    yield "An `error` has the same keys as the document of a command that cannot do its work:"
    (site / "pages/about.md").write_text(ABOUT.format("About them").replace("title", "titel"), encoding="utf-8")
    yield from _run_events(folder, 1, "sync --yes")


def _links(folder: Path, site: Path) -> list[str]:
    """The command and its document, with what three runs have remembered."""
    text = "---\ntitle: Links\n---\n[club](https://club.example.org/) and [saw](http://saw.example.org/)\n"
    (site / "pages/links.md").write_text(text, encoding="utf-8")
    (site / "links.jsonl").write_text(REMEMBERED, encoding="utf-8")
    shown = _run(folder, 1, "links --no-check")
    (site / "pages/links.md").unlink()
    (site / "links.jsonl").unlink()
    note = (
        "After a check, `checked` is the number of addresses that were requested. With `--fix`, `left_out` lists the\n"
        'entries that could not be changed: `[{"kind": "page", "key": "about", ..., "reason": "..."}]`.'
    )
    return [*shown, note]


def _fetch(folder: Path, site: Path) -> list[str]:
    """The command and its document, with a source that a server of this process has."""
    (folder / "tools.csv").write_text("name,url\nSaw,https://saw.example.org\n", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        Thread(target=server.serve_forever).start()
        source = (
            f'[sources.tools]\nurl = "http://127.0.0.1:{server.server_port}/tools.csv"\nfile = "listings/tools.csv"\n'
        )
        (site / "contentsync.toml").write_text(f"{WITH_STORE}{source}", encoding="utf-8")
        shown = _run(folder, 0, "fetch")
        server.shutdown()
    (site / "listings/tools.csv").unlink()
    (site / "contentsync.toml").write_text(WITH_STORE, encoding="utf-8")
    return shown


def _commit(site: Path) -> None:
    """Make the folder a repository with one commit."""
    ada = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    for words in (("init", "--quiet"), ("add", "."), (*ada, "commit", "--quiet", "--message=Our site")):
        git_read(*words, folder=site, environ=environ_without_hook())


def _run(folder: Path, code: int, line: str) -> list[str]:
    """The command and its document, as Markdown. Raises RuntimeError for another exit code."""
    document = json.loads(_output(f"{line} --format json", code))
    return [
        f"## {' '.join(word for word in line.split() if word[0] != '-')}",
        f"```\n$ contentsync {line} --format json\n```",
        f"```json\n{_unchanging(document, folder, indent=2)}\n```",
    ]


def _run_events(folder: Path, code: int, line: str) -> list[str]:
    """The command and its events, as Markdown. Raises RuntimeError for another exit code."""
    line = f"{line} --format jsonl"
    events = [_unchanging(json.loads(event), folder) for event in _output(line, code).splitlines()]
    return [f"```\n$ contentsync {line}\n```", "```json\n" + "\n".join(events) + "\n```"]


def _output(line: str, code: int) -> str:
    out, said = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        ended = run(line.split())
    if ended != code:
        raise RuntimeError(f"{line} ended with {ended}: {said.getvalue()}")
    return out.getvalue()


def _unchanging(document: Any, folder: Path, indent: int | None = None) -> str:
    """The document without what differs from run to run."""
    text = json.dumps(_still(document), ensure_ascii=False, indent=indent)
    for changing, instead in _CHANGING:
        text = changing.sub(instead, text)
    return text.replace(str(folder), "/home/ada")


def _still(value: Any) -> Any:
    """The document without what depends on how fast this machine is."""
    if isinstance(value, dict):
        return {key: 0.0 if key == "seconds" else _still(inner) for key, inner in value.items()}
    return [_still(inner) for inner in value] if isinstance(value, list) else value
