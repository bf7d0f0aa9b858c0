"""`contentsync fetch`: the data of a source in a file of the folder."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli import run
from contentsync.git import git_read

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..http_server import Answer, Request, answering

Fetch = Callable[..., tuple[int, str, str]]
TOOLS = b"name,url\nSaw,https://saw.example.org\nAxe,https://axe.example.org\n"
ONE = b"name,url\nSaw,https://saw.example.org\n"
answer: dict[str, bytes] = {}
statuses: list[int] = []


def reply(request: Request) -> Answer:
    data = answer[request.target]
    etag = f'"{abs(hash(data))}"'
    is_same = request.headers.get("If-None-Match") == etag
    statuses.append(304 if is_same else 200)
    return Answer(statuses[-1], b"" if is_same else data, {"ETag": etag})


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder with two sources, which a server answers with `answer` and `statuses`."""
    answer.clear()
    answer.update({"/tools.csv": TOOLS, "/more.json": b'[{"name": "Vice"}]'})
    statuses.clear()
    with answering(reply) as address:
        (tmp_path / "contentsync.toml").write_text(
            f'[sources.tools]\nurl = "{address}/tools.csv"\nfile = "listings/tools.csv"\n'
            f'[sources.more]\nurl = "{address}/more.json"\nfile = "listings/more.json"\n'
        )
        yield tmp_path


@pytest.fixture
def fetch(site: Path, capsys: pytest.CaptureFixture[str]) -> Fetch:
    """Return the function that runs `contentsync fetch` in the site: its exit code, stdout and stderr."""

    def fetch(*words: str) -> tuple[int, str, str]:
        code = run(["fetch", str(site), *words])
        return code, *capsys.readouterr()

    return fetch


def file(site: Path) -> Path:
    return site / "listings/tools.csv"


def test_data_is_written_unchanged_and_fetched_again_only_after_a_change(site: Path, fetch: Fetch) -> None:
    assert fetch()[:2] == (0, "  + listings/tools.csv  2 rows\n  + listings/more.json  1 row\n")
    assert file(site).read_bytes() == TOOLS
    assert fetch("--source", "tools")[:2] == (0, "  · listings/tools.csv  unchanged\n")
    assert statuses == [200, 200, 304]
    answer["/tools.csv"] = TOOLS + b"Vice,https://vice.example.org\n"
    assert fetch("--source", "tools")[:2] == (0, "  ~ listings/tools.csv  3 rows, was 2\n")


def test_the_result_is_one_json_document(site: Path, fetch: Fetch) -> None:
    def document(*words: str) -> Any:
        return json.loads(fetch("--format", "json", *words)[1])

    created = {"name": "tools", "file": "listings/tools.csv", "action": "create", "rows": 2, "rows_before": None}
    assert document("--source", "tools") == {"version": 1, "sources": [created]}
    assert document("--source", "tools")["sources"] == [{**created, "action": "unchanged", "rows": None}]
    answer["/tools.csv"] = TOOLS + b"Vice,https://vice.example.org\n"
    assert document("--source", "tools")["sources"] == [{**created, "action": "update", "rows": 3, "rows_before": 2}]
    answer["/tools.csv"] = ONE
    refused = document("--source", "tools")
    assert "has 1 row now, and the file has 3" in refused["error"]["message"]


@pytest.mark.parametrize(
    ("data", "words", "consent"),
    [
        (b"<html>Sign in</html>", "web page", ""),
        (b"", "no rows", ""),
        (b"name,url\n", "no rows", ""),
        (ONE, "has 1 row now, and the file has 2", "--allow-fewer-rows"),
        (b"name\nSaw\nAxe\n", "lacks columns that the file has: url", "--allow-missing-columns"),
    ],
)
def test_fetched_data_that_lost_rows_or_columns_is_refused(
    site: Path, fetch: Fetch, data: bytes, words: str, consent: str
) -> None:
    fetch()
    answer["/tools.csv"], answer["/more.json"] = data, b'[{"name": "Lathe"}]'
    code, _, err = fetch("--yes")
    assert code == REFUSED
    assert words in err
    assert file(site).read_bytes() == TOOLS
    assert b"Vice" in (site / "listings/more.json").read_bytes()  # all files or none
    if consent:
        assert consent in err
        assert fetch(consent)[0] == 0
        assert file(site).read_bytes() == data


def test_local_changes_are_overwritten_only_with_consent(site: Path, fetch: Fetch) -> None:
    fetch()
    mine = TOOLS.replace(b"Saw", b"My saw")
    file(site).write_bytes(mine)
    code, out, err = fetch()
    assert (code, out, file(site).read_bytes()) == (REFUSED, "", mine)
    assert "--yes" in err
    assert fetch("--yes")[0] == 0
    assert file(site).read_bytes() == TOOLS


def test_a_fetch_overwrites_a_committed_file_but_no_uncommitted_one(site: Path, fetch: Fetch) -> None:
    def git(*words: str) -> None:
        git_read(*words, folder=site)

    file(site).parent.mkdir()
    file(site).write_bytes(TOOLS.replace(b"Saw", b"Old saw"))
    git("init", "-q")
    assert fetch()[0] == 3  # not in any commit
    git("add", "listings")
    assert fetch()[0] == 3  # only staged
    git("commit", "-qm", "Add")
    assert fetch()[0] == 0
    assert file(site).read_bytes() == TOOLS


def test_git_status_does_not_list_the_notes_of_a_fetch(site: Path, fetch: Fetch) -> None:
    git_read("init", "-q", folder=site)
    assert fetch()[0] == 0
    assert b".contentsync" not in git_read("status", "--porcelain", folder=site)


def test_data_with_errors_is_not_written(site: Path, fetch: Fetch) -> None:
    fetch()
    answer["/tools.csv"] = TOOLS.replace(b"https://axe", b"axe")
    code, out, err = fetch()
    assert (code, out) == (CONTENT_ERRORS, "")
    assert "listings/tools.csv:3" in err
    assert "nothing was written: with the new data, the content has 1 error" in err
    assert file(site).read_bytes() == TOOLS


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://example.org/a.csv", "listings/a.csv"),
        ("https://a:b@example.org/a.csv", "listings/a.csv"),
        ("https://example.org/a.csv", "../a.csv"),
        ("https://example.org/a.csv", ".git/a.csv"),
        ("https://example.org/a.csv", "contentsync.toml"),
        ("https://example.org/a.csv", "listings/tools.csv"),
    ],
)
def test_an_unsafe_source_setting_is_an_error_and_nothing_is_fetched(
    site: Path, fetch: Fetch, url: str, path: str
) -> None:
    config = site / "contentsync.toml"
    config.write_text(config.read_text() + f'[sources.bad]\nurl = "{url}"\nfile = "{path}"\n')
    code, _, err = fetch()
    assert (code, statuses) == (CONTENT_ERRORS, [])
    assert "sources.bad" in err


def test_an_unknown_source_is_named(fetch: Fetch) -> None:
    code, _, err = fetch("--source", "tool")
    assert code == WRONG_USAGE
    assert "the sources are: tools, more" in err
