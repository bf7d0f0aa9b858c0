"""`contentsync links`, as it is typed: real lychee, a real folder, and a server on this machine."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..end_to_end.conftest import Ran, contentsync
from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..http_server import Answer, Request, answering

DEAD = 1
PROXIES = {name: "" for name in os.environ if name.lower().endswith("_proxy")}


@pytest.fixture
def address() -> Iterator[str]:
    """A server that answers with the status in the path, and redirects `/301` to `/new`."""

    def answer(request: Request) -> Answer:
        status = int(request.target[1:]) if request.target[1:].isdigit() else 200
        return Answer(status, headers={"Location": "/new"} if status == 301 else {})

    with answering(answer) as address:
        yield address


@pytest.fixture
def shop(tmp_path: Path, address: str) -> Path:
    rows = f"Saw,{address}/301\nPress,{address}/200\nDrill,{address}/404\nPlane,{address}/403\n"
    (tmp_path / "contentsync.toml").write_text("[links]\ntimeout = 5\n", encoding="utf-8")
    (tmp_path / "listings").mkdir()
    (tmp_path / "listings/all.csv").write_text(f"name,url\n{rows}", encoding="utf-8")
    return tmp_path


def links(shop: Path, *words: str) -> Ran:
    return contentsync("links", shop, *words, env=PROXIES)


def remember(shop: Path, *lines: str) -> None:
    (shop / "links.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def failing(address: str) -> str:
    return f'{{"url": "{address}/404", "failed": ["2026-01-01", "2026-01-02"], "reason": "404 Not Found"}}'


def moved(address: str) -> str:
    return f'{{"url": "{address}/301", "moved": ["2026-01-01"], "moved_to": "{address}/new"}}'


def test_a_first_failure_is_remembered_and_is_not_dead(shop: Path, address: str) -> None:
    ran = links(shop, "--include-private")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "4 external addresses: 1 failing, 1 unknown"
    lines = (shop / "links.jsonl").read_text(encoding="utf-8").splitlines()
    assert [line.partition('", ')[0] for line in lines] == [f'{{"url": "{address}/301', f'{{"url": "{address}/404']


def test_the_third_failure_ends_with_1_and_names_the_place(shop: Path, address: str) -> None:
    remember(shop, failing(address))
    ran = links(shop, "--include-private", "--format", "json")
    assert ran.code == DEAD
    (dead,) = ran.document["dead"]
    assert (dead["url"], dead["reason"], dead["places"][0]["line"]) == (f"{address}/404", "404 Not Found", 4)
    assert links(shop, "--no-check").code == DEAD
    assert links(shop, "--no-check", "--format", "markdown").out.startswith("## External addresses\n\n1 dead.\n")


def test_private_addresses_are_not_requested(shop: Path) -> None:
    ran = links(shop)
    assert (ran.code, ran.out) == (0, "4 external addresses: 4 not checked\n")
    assert not (shop / "links.jsonl").exists()


def test_fix_renames_the_listing(shop: Path, address: str) -> None:
    remember(shop, moved(address))
    ran = links(shop, "--include-private", "--fix", "--yes")
    assert ran.code == 0
    assert ran.err == ""
    assert f"Moved: a permanent redirect on two days; written\n  {address}/301 → {address}/new\n" in ran.out
    assert f"Saw,{address}/new\n" in (shop / "listings/all.csv").read_text(encoding="utf-8")
    assert links(shop, "--no-check", "--fix", "--yes").out.splitlines()[-1] == "4 external addresses: 1 failing"


def test_fix_asks_before_it_writes(shop: Path, address: str) -> None:
    remember(shop, moved(address).replace('"2026-01-01"', '"2026-01-01", "2026-01-02"'))
    before = (shop / "listings/all.csv").read_bytes()
    ran = links(shop, "--no-check", "--fix")
    assert ran.code == REFUSED
    assert ran.err.startswith(f"{address}/301 → {address}/new\n")
    assert "no address was written: there is no terminal to ask on" in ran.err
    assert (shop / "listings/all.csv").read_bytes() == before


def test_addresses_that_are_no_longer_used_are_forgotten(shop: Path, address: str) -> None:
    remember(shop, failing(address), '{"url": "https://unused.dev/", "failed": ["2026-01-01"], "reason": "404"}')
    links(shop, "--include-private")
    assert "unused" not in (shop / "links.jsonl").read_text(encoding="utf-8")


def test_a_damaged_memory_stops_the_run(shop: Path) -> None:
    remember(shop, "<<<<<<< HEAD")
    ran = links(shop)
    assert ran.code == REFUSED
    assert "links.jsonl, line 1: a conflict of git is not resolved" in ran.err
    assert (shop / "links.jsonl").read_text(encoding="utf-8") == "<<<<<<< HEAD\n"


def test_a_folder_with_errors_is_not_checked(shop: Path) -> None:
    (shop / "listings/all.csv").write_text("name,url\n,https://a.dev/\n", encoding="utf-8")
    remember(shop, '{"url": "https://a.dev/", "failed": ["2026-01-01"], "reason": "404"}')
    assert links(shop).code == CONTENT_ERRORS
    assert (shop / "links.jsonl").read_bytes() != b""


def test_a_missing_lychee_is_reported_with_the_command_that_installs_it(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contentsync.extra.Extra.find_program", lambda extra: None)
    ran = links(shop, "--include-private")
    assert ran.code == WRONG_USAGE
    assert "the link checker lychee is not installed: links needs it" in ran.err
    assert "contentsync[links]" in ran.err


def test_the_help_has_less_than_25_lines() -> None:
    assert len(contentsync("links", "--help").out.splitlines()) < 25
