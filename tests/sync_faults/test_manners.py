"""Services that answer in types, keys or lists of their own: an edit, an undo and a pull come to the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from ..exit_codes import REFUSED
from ..properties.folders import Files
from ..sampling import sampled
from ..simulator import STRICT, UNRETURNED, Manners
from .strange import Strange

MANNERS = {
    "booleans-as-numbers": Manners(booleans_as_numbers=True),
    "numbers-as-text": Manners(numbers_as_text=True),
    "keys-that-are-never-returned": Manners(unreturned=UNRETURNED),
    "no-texts-in-lists": Manners(unreturned=frozenset({("pages", "markdown"), ("articles", "seo")})),
    "lists-of-active-records": Manners(active_only=True),
    "strict": replace(STRICT, per_minute=None),
}

FILES: Files = {
    "categories.yaml": "- {slug: tools, title: Tools, order: 2, show_on_sidebar: false}\n",
    "tags.yaml": "- {slug: new, title: New, color: '#aabbcc', show_icon: false}\n- {slug: old, title: Old}\n",
    "custom_fields.yaml": (
        "- {label: Price, name: price, type: number, filterable: true, default_value: 1}\n"
        "- {label: Stars, name: stars, type: rating}\n"
        "- {label: Fresh, name: fresh, type: checkbox}\n"
        "- {label: Code, name: code, type: text}\n"
    ),
    "organizers/guild.md": (
        "---\nname: Guild\norder: 3\nphone: '0123'\ntranslations:\n  fr:\n    name: Guilde\n---\nLong.\n"
    ),
    "listings/all.yaml": (
        "- {name: Saw, slug: saw, latitude: 48.5, longitude: 2, is_featured: true, categories: [tools], tags: [new],\n"
        "   organizers: [guild], price: 12.5, stars: 4, fresh: true, code: '007'}\n"
        "- {name: Plane, slug: plane, categories: [tools]}\n"
    ),
    "pages/about.md": "---\ntitle: About\norder: 1\nnew_tab: true\nplacement: footer\n---\nWho we are.\n",
    "articles/first.md": (
        "---\ntitle: First\npublished_at: 2026-01-01T09:00:00Z\nseo:\n  title: First of all\n---\nThe first.\n"
    ),
}

# One edit of each kind, among them one of each type.
EDITED: Files = {
    **FILES,
    "categories.yaml": "- {slug: tools, title: Tools, order: 5, show_on_sidebar: true}\n",
    "tags.yaml": "- {slug: new, title: New, color: '#aabbcc', show_icon: true}\n- {slug: old, title: Older}\n",
    "organizers/guild.md": FILES["organizers/guild.md"].replace("order: 3", "order: 4"),
    "listings/all.yaml": FILES["listings/all.yaml"]
    .replace("is_featured: true", "is_featured: false")
    .replace("price: 12.5, stars: 4, fresh: true", "price: 13, stars: 5, fresh: false"),
    "pages/about.md": FILES["pages/about.md"].replace("order: 1", "order: 2"),
}


@pytest.mark.parametrize("manner", sampled(MANNERS, every=3))
def test_an_edit_is_no_conflict_and_an_undo_sends_the_types_of_the_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS[manner]) as service:
        folder = service.folder("site", FILES)
        service.sync(folder)
        assert service.changes(folder) == []
        service.folder("site", EDITED)
        assert {change["key"] for change in service.changes(folder)} == {"tools", "new", "old", "guild", "saw", "about"}
        service.sync(folder)
        assert service.changes(folder) == []
        service.simulator.bodies.clear()
        service.done("undo", folder, "--yes")
        sent = {
            (collection, name): value
            for _, collection, body in service.simulator.bodies
            for name, value in body.items()
        }
        undone = {
            ("categories", "order"): 2,
            ("categories", "show_on_sidebar"): False,
            ("tags", "show_icon"): False,
            ("organizers", "order"): 3,
            ("projects", "is_featured"): True,
            ("projects", "price"): 12.5,
            ("projects", "stars"): 4,
            ("projects", "fresh"): True,
            ("pages", "order"): 1,
        }
        assert {what: (value, type(value)) for what, value in sent.items() if what in undone} == {
            what: (value, type(value)) for what, value in undone.items()
        }
        service.folder("site", FILES)
        assert service.changes(folder) == []


@pytest.mark.parametrize("manner", sampled(MANNERS, every=3))
def test_a_pull_into_an_empty_folder_leaves_nothing_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS[manner]) as service:
        service.sync(service.folder("site", FILES))
        empty = service.folder("empty", {})
        service.done("pull", empty)
        assert service.changes(empty) == []
        service.done("pull", empty)
        assert service.changes(empty) == []


def test_a_pull_keeps_fields_that_the_service_does_not_return(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS["keys-that-are-never-returned"]) as service:
        folder = service.folder("site", FILES)
        service.sync(folder)
        service.done("pull", folder)
        assert "#aabbcc" in (folder / "tags.yaml").read_text(encoding="utf-8")
        assert service.changes(folder) == []


def test_an_undo_refuses_fields_that_the_service_does_not_return(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS["keys-that-are-never-returned"]) as service:
        folder = service.folder("site", FILES)
        service.sync(folder)
        tags = FILES["tags.yaml"].replace("#aabbcc", "#112233")
        service.folder("site", {**FILES, "tags.yaml": tags})
        assert [change["fields"] for change in service.changes(folder)] == [{"color": {"from": None, "to": "#112233"}}]
        service.sync(folder)
        assert service.changes(folder) == []
        code, text = service.command("undo", folder, "--yes")
        assert (code, "the service does not return color" in text) == (REFUSED, True), text


def test_the_next_sync_sends_fields_that_an_undo_could_not_restore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Strange(tmp_path, capsys, monkeypatch, MANNERS["keys-that-are-never-returned"]) as service:
        folder = service.folder("site", FILES)
        service.sync(folder)
        listings = FILES["listings/all.yaml"].replace("tags: [new]", "tags: []")
        tags = "- {slug: old, title: Old}\n"
        service.folder("site", {**FILES, "tags.yaml": tags, "listings/all.yaml": listings})
        service.sync(folder)
        service.done("undo", folder, "--yes")
        service.folder("site", FILES)
        assert [(change["key"], list(change["fields"])) for change in service.changes(folder)] == [("new", ["color"])]
        service.sync(folder)
        assert service.changes(folder) == []


@pytest.mark.parametrize("manner", ["lists-of-active-records", "strict"])
def test_an_inactive_entry_missing_from_the_lists_is_not_created_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    files = {
        **FILES,
        "categories.yaml": FILES["categories.yaml"] + "- {slug: later, title: Later, is_active: false}\n",
        "pages/draft.md": "---\ntitle: Draft\nis_published: false\n---\nNot yet.\n",
        "articles/second.md": "---\ntitle: Second\nactive: false\npublished_at: 2026-02-01T09:00:00Z\n---\nNext.\n",
    }
    with Strange(tmp_path, capsys, monkeypatch, MANNERS[manner]) as service:
        folder = service.folder("site", files)
        service.sync(folder)
        assert service.changes(folder) == []
        files["pages/draft.md"] = files["pages/draft.md"].replace("Draft", "Final")
        service.folder("site", files)
        assert [(change["action"], change["key"]) for change in service.changes(folder)] == [("update", "draft")]
        service.sync(folder)
        assert service.changes(folder) == []
        service.done("undo", folder, "--yes")
        files["pages/draft.md"] = files["pages/draft.md"].replace("Final", "Draft")
        service.folder("site", files)
        assert service.changes(folder) == []
