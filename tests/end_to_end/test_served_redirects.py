"""The redirects that `contentsync redirects` prints, served by the real web servers."""

import csv
import json
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ..proxies import caddy, free_port, missing, nginx, running
from .conftest import contentsync

# Each is one part of a path, as a file has it. They have a meaning in a config, in a URL or in a table.
PARTS = (
    *("a b", "Über", "日本", "a;b", "{x}", "{$home}", "{http.request.uri}", 'a"b', "a'b", "a`b", "a\\b", "a\\n"),
    *("$host", "${x}", "~user", "^x$", "a*b", "Talk:a b", "(x)", "[x]", "|x", "<a>", "@x", "a,b", "+x", "=x", "-x"),
    *("!x", "a&b", "a%b"),
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a page that was renamed twice, and an entry with strange former addresses."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").write_text('[content.pages]\nformer_addresses = ["aliases"]\n', encoding="utf-8")
    twice = "---\ntitle: Now\naliases: [/old.html, /pages/then/, /pages/other/]\nsync: {previous: [first, then]}\n---\n"
    (folder / "pages/now.md").write_text(twice, encoding="utf-8")
    aliases = json.dumps([f"/old/{part}/" for part in PARTS])
    (folder / "pages/other.md").write_text(f"---\ntitle: Other\naliases: {aliases}\n---\n", encoding="utf-8")
    return folder


def nginx_site(folder: Path, port: int, redirects: str) -> list[str]:
    return nginx(folder, f"server {{\nlisten 127.0.0.1:{port};\n{redirects}}}\n")


def caddy_site(folder: Path, port: int, redirects: str) -> list[str]:
    return caddy(folder, f"http://127.0.0.1:{port} {{\n{redirects}}}\n")


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param("nginx", nginx_site, marks=missing("nginx")),
        pytest.param("caddy", caddy_site, marks=missing("caddy")),
    ],
)
def test_each_former_address_redirects_to_the_present_one_in_one_step(
    tmp_path: Path, site: Path, name: str, command: Callable[[Path, int, str], list[str]]
) -> None:
    rows = [*csv.reader(contentsync("redirects", site).out.splitlines())][1:]
    # Of `now.md`: /old.html and the pages `then` and `first`. Its alias /pages/other/ is a present address.
    assert len(rows) == len(PARTS) + 3
    port = free_port()
    with running(command(tmp_path, port, contentsync("redirects", site, "--format", name).out), tmp_path, port):
        answers = {former: _ask(port, former) for former, _ in rows}
        without_slash = {former: _ask(port, former.rstrip("/")) for former, _ in rows}
        assert answers == without_slash == {former: (301, present) for former, present in rows}
        not_former = ("/pages/now/", "/pages/other/", "/pages/other", "/old/", "/")  # /old/ is only above the aliases
        for address in not_former:
            assert _ask(port, address)[0] != 301


def _ask(port: int, path: str) -> tuple[int, str]:
    """Return the status and the path of the header Location."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    location = urlsplit(answer.headers.get("Location", "")).path
    connection.close()
    return answer.status, location
