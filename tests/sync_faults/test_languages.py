"""Languages that come and go, on the server and in the config, and the translations that are removed meanwhile."""

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli import run
from contentsync.model import Kind

from ..exit_codes import REFUSED
from ..properties.folders import Files, write
from ..sampling import sampled
from ..simulator import LIKE_OURS, Manners
from .records import read_records
from .strange import Strange

HELLO = "---\ntitle: Hello\n---\nText.\n"
BONJOUR = "---\ntitle: Bonjour\n---\nTexte.\n"
OTHER = "---\ntitle: Other\n---\nText.\n"
FILES: Files = {"articles/hello.md": HELLO, "articles/hello.fr.md": BONJOUR, "articles/other.md": OTHER}

MANNERS = {"ours": LIKE_OURS, "by-locale": Manners(include=False, conditionals=False, directory_locales=False)}
EVENTS = ("off the server", "off the config", "file deleted", "back on the server", "back in the config")


def orders() -> Iterator[tuple[str, ...]]:
    """Every order in which a language goes before it comes back."""
    for order in permutations(EVENTS):
        place = {event: number for number, event in enumerate(order)}
        if place[EVENTS[0]] < place[EVENTS[3]] and place[EVENTS[1]] < place[EVENTS[4]]:
            yield order


class Story:
    """A folder in two languages, its directory, and what happens to both."""

    def __init__(self, service: Strange) -> None:
        self.service = service
        self.files = dict(FILES)
        self.site: tuple[str, ...] = ("en", "fr")
        self.there: tuple[str, ...] = ("en", "fr")
        self.folder = service.folder("site", self.files)
        service.sync(self.folder)
        assert self.live == {"title": "Bonjour", "markdown": "Texte."}

    @property
    def live(self) -> Any:
        """The French texts of the article that visitors see."""
        translations = read_records(self.service.home / "service.db")[Kind.ARTICLE, "hello"].content["translations"]
        return translations.get("fr", {}) if "fr" in self.there else {}

    def happens(self, event: str) -> None:
        """Change the server or the folder."""
        if event == "file deleted":
            del self.files["articles/hello.fr.md"]
        elif event.endswith("config"):
            self.site = ("en",) if event.startswith("off") else ("en", "fr")
        else:
            self.there = ("en",) if event.startswith("off") else ("en", "fr")
            self.service.speak(*self.there)
        self.service.folder("site", self.files, self.site)

    @property
    def is_wanted(self) -> bool:
        """Return whether the folder has the texts."""
        return "fr" in self.site and "articles/hello.fr.md" in self.files

    def check(self) -> None:
        """Check that what is live and not in the folder is not passed over."""
        code, text = self.service.command("plan", self.folder)
        if self.live and not self.is_wanted:
            assert code != 0 or "nothing to do" not in text, text


@pytest.mark.parametrize("manner", sampled(["by-locale", "ours"], every=2))
@pytest.mark.parametrize("number", sampled([13, 1, 8, 21], every=4))
def test_a_removed_translation_leaves_the_server_in_any_order_of_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, manner: str, number: int
) -> None:
    order = list(orders())[number]
    with Strange(tmp_path, capsys, monkeypatch, MANNERS[manner]) as service:
        story = Story(service)
        for event in order:
            story.happens(event)
            story.check()
            code, text = service.command("sync", story.folder, "--yes")
            assert code in (0, REFUSED), text
            story.check()
        assert story.live == {}, order
        assert service.changes(story.folder) == []


@pytest.mark.parametrize("manner", sampled(["by-locale", "ours"], every=2))
def test_a_translation_removed_while_its_language_was_off_is_cleared_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS[manner]) as service:
        story = Story(service)
        for event in ("off the server", "file deleted"):
            story.happens(event)
            service.sync(story.folder)
        story.files["articles/hello.md"] = HELLO.replace("Text.", "Edited.")  # the memory outlives another edit
        story.happens("back on the server")
        story.happens("off the server")
        service.sync(story.folder)
        service.done("pull", story.folder)
        story.happens("back on the server")
        (change,) = service.changes(story.folder)
        assert change["fields"] == {
            "translations.fr.title": {"from": "Bonjour", "to": None},
            "translations.fr.markdown": {"from": "Texte.", "to": None},
        }
        service.sync(story.folder)
        assert (story.live, service.changes(story.folder)) == ({}, [])


def test_a_run_is_undone_once_its_language_is_on_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch) as service:
        story = Story(service)
        story.happens("file deleted")
        service.sync(story.folder)
        story.happens("off the server")
        code, text = service.command("undo", story.folder, "--yes")
        assert (code, "does not have the language 'fr'" in text) == (REFUSED, True), text
        story.happens("back on the server")
        service.done("undo", story.folder, "--yes")
        assert story.live == {"title": "Bonjour", "markdown": "Texte."}


def test_texts_in_a_language_the_server_lacks_are_refused_before_any_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, locales=("en", "de")) as service:
        folder = service.folder("site", FILES)
        code, text = service.command("sync", folder, "--yes")
        assert code == REFUSED
        assert "the server's directory does not have the language 'fr', in which 1 entry changes texts" in text
        assert [method for method, _ in service.simulator.requests if method != "GET"] == []


def test_a_refused_language_is_added_by_the_printed_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, locales=("en", "de")) as service:
        folder = service.folder("site", FILES)
        _code, text = service.command("plan", folder)
        (command,) = re.findall(r"contentsync (admin directory set SLUG --locales en,de,fr)\)", text)
        service.done(*command.replace("SLUG", "tools").split(), "--db", f"sqlite:///{tmp_path / 'service.db'}")
        service.sync(folder)
        assert service.changes(folder) == []


def test_several_languages_are_refused_together_with_one_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, locales=("en", "de")) as service:
        files = {**FILES, "articles/hello.es.md": BONJOUR, "articles/hello.de.md": BONJOUR}
        _code, text = service.command("plan", service.folder("site", files, ("en", "fr", "de", "es")))
        assert "directory does not have the languages 'es', 'fr', in which 1 entry changes texts" in text
        assert text.count("admin directory set SLUG --locales en,de,es,fr)") == 1


def test_the_languages_are_read_once_and_only_before_a_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch) as service:
        folder = service.folder("site", FILES)
        asked = ("GET", f"/api/directories/{service.directory}")
        service.sync(folder)
        assert service.simulator.requests.count(asked) == 1
        service.simulator.requests.clear()
        service.sync(folder)
        assert len(service.simulator.requests) == len(Kind)


@pytest.mark.parametrize("words", [("sync", "--yes"), ("sync", "--yes", "--only", "article"), ("plan",)])
def test_a_server_with_another_default_language_is_refused_before_any_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, locales=("fr", "en")) as service:
        folder = service.folder("site", {"articles/hello.md": HELLO})
        command, *options = words
        code, text = service.command(command, folder, *options)
        assert code == REFUSED
        assert "the server's directory is 'fr', and that of the folder is 'en'" in " ".join(text.split())
        assert [method for method, _ in service.simulator.requests if method != "GET"] == []


@pytest.mark.parametrize("manner", sampled(["by-locale", "ours"], every=2))
def test_a_text_that_changes_while_its_language_is_off_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS[manner]) as service:
        story = Story(service)
        story.happens("off the server")
        assert service.changes(story.folder) == []
        story.files["articles/hello.fr.md"] = BONJOUR.replace("Bonjour", "Salut")
        service.folder("site", story.files)
        code, text = service.command("sync", story.folder, "--yes")
        assert (code, "does not have the language 'fr'" in text) == (REFUSED, True), text
        assert ("--locales en,fr" in text) == (manner == "ours")  # the other service does not say which it has


def test_an_embedded_site_follows_the_config_to_another_default_language_and_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def sync(locales: str, files: Files) -> str:
        for path in tmp_path.glob("articles/*"):
            path.unlink()
        write({"contentsync.toml": f"[site]\nlocales = {locales}\n", **files}, tmp_path)
        assert run(["sync", str(tmp_path), "--yes", "--quiet"]) == 0
        capsys.readouterr()
        assert run(["plan", str(tmp_path)]) == 0
        return capsys.readouterr().out

    sync('["en", "fr"]', {"articles/hello.md": HELLO, "articles/hello.fr.md": BONJOUR})
    plan = sync('["fr", "en"]', {"articles/hello.md": BONJOUR, "articles/hello.en.md": HELLO})
    assert plan.startswith("nothing to do")
    plan = sync('["en", "fr"]', {"articles/hello.md": HELLO})
    assert plan.startswith("nothing to do")
    (article,) = read_records(tmp_path / ".contentsync/site.db").values()
    assert "fr" not in article.content["translations"]


def test_a_server_that_does_not_list_its_languages_gets_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS["by-locale"], locales=("fr", "en")) as service:
        service.sync(service.folder("site", {"articles/hello.md": HELLO}, ("en",)))
