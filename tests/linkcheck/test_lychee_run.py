"""Real lychee against a real server: what it is asked, and how its report is read."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.errors import LocalFileError
from contentsync.extra import LINKS
from contentsync.linkcheck.link_results import NOT_REPORTED, LinkResult, Outcome
from contentsync.linkcheck.lychee_run import LycheeOptions, read_results, run_lychee

from ..http_server import Answer, Request, answering

OPTIONS = LycheeOptions(timeout=1, includes_private=True, retries=0)
ENOUGH = 60.0  # seconds


class Site:
    """A server that answers with the status at the end of the path, and what it was asked."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[Request] = []

    def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.target == "/mail":
            return Answer(302, headers={"Location": "mailto:ada@example.org"})
        words = request.target.partition("?")[0].split("/")
        status = int(words[-1]) if words[-1].isdigit() else 200
        return Answer(status, headers={"Location": "/page"} if status in (301, 302, 308) else {})


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    site = Site()
    with answering(site.answer) as site.address:
        yield site


def test_each_answer_is_read_from_the_report(site: Site) -> None:
    paths = ("200", "301", "302", "403", "404", "410", "500")
    results = run_lychee([f"{site.address}/{path}" for path in paths], OPTIONS, ENOUGH)
    outcomes = {address.rpartition("/")[2]: result.outcome for address, result in results.items()}
    assert outcomes == {
        "200": Outcome.WORKS,
        "301": Outcome.WORKS,
        "302": Outcome.WORKS,
        "403": Outcome.UNKNOWN,
        "404": Outcome.FAILED,
        "410": Outcome.FAILED,
        "500": Outcome.UNKNOWN,
    }
    assert results[f"{site.address}/404"].reason == "404 Not Found"
    assert results[f"{site.address}/301"].moved_to == f"{site.address}/page"
    assert results[f"{site.address}/302"].moved_to == ""
    assert results[f"{site.address}/302"].visited == (f"{site.address}/page",)


def test_an_address_of_which_lychee_says_nothing_was_not_checked(site: Site) -> None:
    (result,) = run_lychee([f"{site.address}/mail"], OPTIONS, ENOUGH).values()
    assert result == NOT_REPORTED


def test_a_refused_connection_is_a_failure_without_an_answer(site: Site) -> None:
    (result,) = run_lychee(["http://127.0.0.1:1/"], OPTIONS, ENOUGH).values()
    assert (result.outcome, result.has_answer) == (Outcome.FAILED, False)


@pytest.mark.parametrize(
    "path",
    ["a)b(c", "?q='x'&amp;y", "?a=1&b=2", "ä/ö", "%C3%A4", "a'b", "$(reboot)", ";reboot", "--help", "a,b;c=d@e!*~"],
)
def test_every_address_arrives_as_it_is(site: Site, path: str) -> None:
    address = f"{site.address}/{path}"
    assert run_lychee([address], OPTIONS, ENOUGH)[address].outcome is Outcome.WORKS
    (request,) = site.requests
    sent = request.target.removeprefix("/")
    assert sent in (path, path.replace("'", "%27"), "%C3%A4/%C3%B6")


def test_private_addresses_are_excluded_unless_the_user_asks_for_them(site: Site) -> None:
    results = run_lychee([f"{site.address}/200", "http://10.1.2.3/", "http://[::1]/"], LycheeOptions(), ENOUGH)
    assert {result.outcome for result in results.values()} == {Outcome.SKIPPED}
    assert site.requests == []


def test_no_setting_and_no_token_of_the_folder_reaches_lychee(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lychee.toml could name a command for lychee to run."""
    (tmp_path / "lychee.toml").write_text('exclude = [".*"]\n', encoding="utf-8")
    (tmp_path / ".lycheeignore").write_text(".*\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    environ = tmp_path / "environ"
    options = _running(tmp_path, f'env >{environ}\nexec "{LINKS.find_program()}" "$@"\n')
    results = run_lychee([f"{site.address}/200"], options, ENOUGH)
    assert [result.outcome for result in results.values()] == [Outcome.WORKS]
    assert "secret" not in environ.read_text(encoding="utf-8")
    assert str(tmp_path) not in environ.read_text(encoding="utf-8").replace(f"PATH={tmp_path}", "")


def test_a_run_that_takes_too_long_is_stopped_without_results(tmp_path: Path) -> None:
    assert run_lychee(["https://a.dev/"], _running(tmp_path, "exec sleep 60\n"), seconds=0.1) == {}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'unknown option' >&2; exit 3\n", "lychee ended with 3: unknown option"),
        ("echo 'not JSON'\n", "another JSON than expected"),
        ("echo '{}'\n", "another JSON than expected"),
        ("echo '[]'\n", "another JSON than expected"),
        (
            """echo '{"success_map": {"a": [{"span": {"line": 9}}]}, "error_map": {}, "timeout_map": {}}'\n""",
            "another JSON than expected",
        ),
    ],
)
def test_a_report_that_is_not_understood_is_an_error(tmp_path: Path, script: str, message: str) -> None:
    with pytest.raises(LocalFileError, match=message):
        run_lychee(["https://a.dev/"], _running(tmp_path, script), ENOUGH)


def test_a_redirect_to_an_error_has_the_status_of_the_end() -> None:
    item = {
        "url": "https://a.dev/",
        "status": {"text": "Rejected status code: 404 Not Found", "code": 404},
        "redirects": {"origin": "https://a.dev/", "redirects": [{"url": "https://a.dev/x", "code": 301}]},
        "span": {"line": 1, "column": 10},
    }
    report = {"success_map": {}, "error_map": {"addresses.html": [item]}, "timeout_map": {}, "excluded_map": {}}
    ((_address, result),) = read_results(["https://a.dev/"], report)
    assert result == LinkResult(Outcome.FAILED, "404 Not Found", has_answer=True, visited=("https://a.dev/x",))


def _running(folder: Path, script: str) -> LycheeOptions:
    """Return options with a program in place of lychee."""
    program = folder / "lychee"
    program.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
    program.chmod(0o755)
    return replace(OPTIONS, program=str(program))
