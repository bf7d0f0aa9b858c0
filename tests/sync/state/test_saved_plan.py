import json
import random
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.config.config import Config
from contentsync.content.config.config_tables import SiteSettings, Target
from contentsync.errors import Damaged, Refused, Unwritable, UsageError
from contentsync.model import Entry, Kind, Notes
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.comparing.fingerprint import digest
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Limits, Plan, Policy, Selection
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.state.saved_plan import PlanContext, SavedPlan, folder_digests, read_saved_plan, save_plan

from ..entries import actual, desired

TARGET = Target(name="production", url="https://directory.example.com", directory=42)
CONFIG = Config(SiteSettings(name="Tools"))
POLICY = Policy(prune=True, limits=Limits(30, 5), allowed=Consents(deletes=4), on_drift="keep", adopt=True)

ABOUT = desired(Kind.PAGE, "about", slug="about", title="New")
SAME = desired(Kind.PAGE, "same", slug="same", title="Same")
WOOD = desired(Kind.TAG, "wood", slug="wood", title="Wood")
FOLDER = [ABOUT, SAME, WOOD]
FOLDER_WITHOUT_WOOD = [ABOUT, SAME]
GONE = desired(Kind.PAGE, "old", slug="old", title="Old")
ABOUT_RECORD = replace(actual(Kind.PAGE, "about", 1, slug="about", title="Before", order=1), etag='"1"')
SAME_RECORD = replace(actual(Kind.PAGE, "same", 2, slug="same", title="Same"), etag='"2"')
OLD_RECORD = replace(actual(Kind.PAGE, "old", 3, slug="old", title="Old"), etag='"3"')
SERVER = [ABOUT_RECORD, SAME_RECORD, OLD_RECORD]
APPLIED = Base.from_entries(
    [
        applied_entry(replace(ABOUT, fields={"slug": "about", "title": "Before"}), ABOUT_RECORD),
        applied_entry(SAME, SAME_RECORD),
        applied_entry(GONE, OLD_RECORD),
    ]
)


def planned(folder: Sequence[Entry] = FOLDER, server: Sequence[Entry] = SERVER, base: Base = APPLIED) -> Plan:
    """Return the plan that a command makes now, from this folder, server and base."""
    return make_plan(folder, server, base=base, policy=POLICY)


def terms(folder: Sequence[Entry] = FOLDER, config: Config = CONFIG, **other: Any) -> PlanContext:
    """Return the context in which a plan is valid; `other` replaces some of its values."""
    target = other.get("target", TARGET)
    whole = PlanContext("1.2.0", TARGET, Selection(), POLICY, "state", folder_digests(config, target, folder))
    return replace(whole, **other)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a saved plan."""
    path = tmp_path / "plan.json"
    save_plan(path, planned(), terms(), {"version": 1, "changes": []})
    return path


@pytest.fixture
def saved(file: Path) -> SavedPlan:
    """Return the plan that `file` contains, as a later sync reads it."""
    return read_saved_plan(file)


def changed(entries: Sequence[Entry], key: str, **fields: Any) -> list[Entry]:
    """Return the entries, with other fields in one of them."""
    return [replace(entry, fields={**entry.fields, **fields}) if entry.key == key else entry for entry in entries]


def test_a_saved_plan_is_accepted_if_nothing_has_changed(saved: SavedPlan) -> None:
    saved.check_current(planned(FOLDER[::-1], SERVER[::-1]), terms(FOLDER[::-1]))


def test_a_saved_plan_contains_its_options(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    selection = Selection.parse(["page/a*", "listing/https://*", "tag"])
    save_plan(file, planned(), terms(selection=selection, base="git:HEAD~1"), {})
    saved = read_saved_plan(file)
    assert (saved.target, saved.policy, saved.selection, saved.base) == ("production", POLICY, selection, "git:HEAD~1")


def test_a_saved_plan_contains_the_json_document(file: Path) -> None:
    assert json.loads(file.read_text(encoding="utf-8"))["plan"] == {"version": 1, "changes": []}


def test_a_saved_plan_is_readable_only_by_its_owner(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


FOLDERS: dict[str, tuple[Sequence[Entry], str]] = {
    "a change that is in the plan": (changed(FOLDER, "about", title="Newer"), "page about"),
    "an entry that was not in the plan": (changed(FOLDER, "same", title="Other"), "page same"),
    "a new entry": ([*FOLDER, desired(Kind.PAGE, "more", slug="more", title="M")], "page more"),
    "an entry less": (FOLDER_WITHOUT_WOOD, "tag wood"),
    "a note": ([*FOLDER_WITHOUT_WOOD, replace(WOOD, notes=Notes(protect=True))], "tag wood"),
}


@pytest.mark.parametrize(("folder", "name"), FOLDERS.values(), ids=FOLDERS)
def test_a_saved_plan_is_refused_after_the_folder_has_changed(
    saved: SavedPlan, folder: Sequence[Entry], name: str
) -> None:
    """PL-06"""
    with pytest.raises(Refused, match=rf"the folder has changed \({name}\)$"):
        saved.check_current(planned(folder), terms(folder))


def test_a_saved_plan_is_refused_after_the_settings_have_changed(saved: SavedPlan) -> None:
    """PL-06"""
    with pytest.raises(Refused, match=r"the folder has changed \(contentsync.toml\)$"):
        saved.check_current(planned(), terms(config=Config(SiteSettings(name="Other tools"))))


SERVERS: dict[str, tuple[Sequence[Entry], str]] = {
    "a field": (changed(SERVER, "about", title="Mine", order=2), "page about: order, title"),
    "a field that the plan leaves alone": (changed(SERVER, "about", order=9), "page about: order"),
    "what is to be deleted": (changed(SERVER, "old", title="Still needed"), "page old: title"),
    "gone": ([SAME_RECORD, OLD_RECORD], "page about is deleted"),
    "written again": ([replace(ABOUT_RECORD, etag='"9"'), SAME_RECORD, OLD_RECORD], "page about was written again"),
}


@pytest.mark.parametrize(("server", "what"), SERVERS.values(), ids=SERVERS)
def test_a_saved_plan_is_refused_after_a_record_of_it_has_changed(
    saved: SavedPlan, server: Sequence[Entry], what: str
) -> None:
    """PL-06, CO-06"""
    with pytest.raises(Refused, match=rf"no longer holds: the server has changed \({what}\)$"):
        saved.check_current(planned(server=server), terms())


def test_a_saved_plan_is_refused_if_the_server_now_leads_to_another_plan(saved: SavedPlan) -> None:
    """PL-06"""
    server = [*SERVER, actual(Kind.TAG, "wood", 9, slug="wood", title="Timber")]
    with pytest.raises(Refused, match=r"would be different now \(create tag wood, update tag wood\)$"):
        saved.check_current(planned(server=server), terms())


def test_a_saved_plan_is_refused_after_another_sync(saved: SavedPlan) -> None:
    """PL-06"""
    base = APPLIED.with_updates([applied_entry(SAME, replace(SAME_RECORD, id=7))])
    with pytest.raises(Refused, match="no longer holds: what was last applied has changed"):
        saved.check_current(planned(base=base), terms())


def test_a_saved_plan_is_refused_if_more_entries_would_lose_a_reference(tmp_path: Path) -> None:
    """PL-06"""
    tag = replace(actual(Kind.TAG, "wood", 4, slug="wood", title="Wood"), etag='"4"')
    base = APPLIED.with_updates([applied_entry(WOOD, tag)])
    file = tmp_path / "plan.json"
    save_plan(file, planned(FOLDER_WITHOUT_WOOD, [*SERVER, tag], base), terms(FOLDER_WITHOUT_WOOD), {})
    tagged = actual(Kind.LISTING, "l", 5, name="L", slug="l", tags=["wood"])
    with pytest.raises(Refused, match=r"would be different now \(delete tag wood\)$"):
        read_saved_plan(file).check_current(
            planned(FOLDER_WITHOUT_WOOD, [*SERVER, tag, tagged], base), terms(FOLDER_WITHOUT_WOOD)
        )


def test_a_saved_plan_reports_all_reasons_at_once(saved: SavedPlan) -> None:
    """PL-06"""
    folder, server = changed(FOLDER, "about", title="Newer"), changed(SERVER, "about", title="Mine")
    with pytest.raises(Refused) as refused:
        saved.check_current(planned(folder, server, Base.from_entries([])), terms(folder))
    assert refused.value.message.count(";") == 2
    assert refused.value.hint == "make a new one with plan --out"


def test_a_saved_plan_is_accepted_if_only_the_order_of_rows_has_changed(tmp_path: Path) -> None:
    """The writes are the same."""
    rows = [desired(Kind.TAG, key, line, slug=key, title=key) for key, line in (("a", 2), ("b", 3))]
    moved = [desired(Kind.TAG, key, line, slug=key, title=key) for key, line in (("a", 3), ("b", 2))]
    file = tmp_path / "moved.json"
    save_plan(file, planned(rows, (), Base()), terms(rows), {})
    assert planned(moved, (), Base()).digest != planned(rows, (), Base()).digest
    read_saved_plan(file).check_current(planned(moved, (), Base()), terms(moved))


def test_a_saved_plan_names_only_the_first_changes(saved: SavedPlan) -> None:
    folder = [*FOLDER, *(desired(Kind.PAGE, f"p{number}", title="T") for number in range(9))]
    with pytest.raises(Refused, match=r"\(page p0, page p1, page p2, page p3, page p4 and 4 more\)"):
        saved.check_current(planned(folder), terms(folder))


@pytest.mark.parametrize(
    "other",
    [
        {"name": "staging"},
        {"url": "https://staging.example.com"},
        {"directory": 43},
    ],
    ids=str,
)
def test_a_saved_plan_is_refused_for_another_target(saved: SavedPlan, other: dict[str, Any]) -> None:
    """PL-06, PL-09"""
    target = TARGET.model_copy(update=other)
    with pytest.raises(Refused, match=r"it is for production \(directory 42 of .*\), and this is "):
        saved.check_current(planned(), terms(target=target))


def test_a_saved_plan_is_refused_by_another_version(saved: SavedPlan) -> None:
    """PL-06, PL-18"""
    with pytest.raises(Refused, match=r"made by contentsync 1\.2\.0, and this is 1\.3\.0$"):
        saved.check_current(planned(), terms(tool="1.3.0"))


def test_a_saved_plan_is_refused_with_the_token_of_another_user(file: Path) -> None:
    save_plan(file, planned(), terms(user=7), {})
    saved = read_saved_plan(file)
    saved.check_current(planned(), terms(user=7))
    with pytest.raises(Refused, match="token of user 7, and this is user 8"):
        saved.check_current(planned(), terms(user=8))


def test_a_saved_plan_is_refused_with_other_options(saved: SavedPlan) -> None:
    with pytest.raises(Refused, match="the options are different"):
        saved.check_current(planned(), terms(policy=replace(POLICY, allowed=Consents(deletes=99))))


def _edited(**values: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps({**json.loads(data), **values}).encode()


def _forged(**values: Any) -> Callable[[bytes], bytes]:
    """Return a saved plan with other values and a valid seal."""

    def forged(data: bytes) -> bytes:
        content = json.loads(data)
        del content["seal"]
        for name, value in values.items():
            content[name] = {**content[name], **value} if value and isinstance(value, dict) else value
        return json.dumps({**content, "seal": digest(content)}).encode()

    return forged


def _flipped(data: bytes) -> bytes:
    place = data.index(b"page about")
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda data: b"", "damaged or was edited: it is not JSON"),
    "cut": (lambda data: data[: len(data) // 2], "damaged or was edited: it is not JSON"),
    "a bit": (_flipped, "damaged or was edited: it was changed after it was written"),
    "consent": (_edited(options={"only": []}), "damaged or was edited: it was changed after it was written"),
    "another plan": (_edited(digest="0" * 64), "damaged or was edited: it was changed after it was written"),
    "without its seal": (_edited(seal=None), "damaged or was edited: it was changed after it was written"),
    "newer": (_edited(version=2), "is in version 2, and this contentsync reads version 1"),
    "forged options": (_forged(options={}), "it is not a plan of this format"),
    "a forged kind": (_forged(options={"only": ["pizza/*"]}), "it is not a plan of this format"),
    "forged changes": (_forged(changes=[{"kind": "page"}]), "it is not a plan of this format"),
    "a forged list": (_forged(files=[]), "it is not a plan of this format"),
    "a state": (_edited(contentsync="state"), "is not a plan of contentsync"),
    "something else": (lambda data: b"[1, 2]", "is not a plan of contentsync"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_or_edited_saved_plan_is_refused(file: Path, damage: Callable[[bytes], bytes], message: str) -> None:
    """FI-32, PL-06, PL-18"""
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(Damaged, match=message) as refused:
        read_saved_plan(file)
    assert str(file) in refused.value.message


def test_a_changed_byte_never_changes_a_saved_plan_unnoticed(file: Path, saved: SavedPlan) -> None:
    """FI-32"""
    data, dice = file.read_bytes(), random.Random(5)
    noticed, samples = 0, 400
    for _ in range(samples):
        place = dice.randrange(len(data))
        file.write_bytes(data[:place] + bytes([dice.randrange(256)]) + data[place + 1 :])
        try:
            assert read_saved_plan(file).content == saved.content  # white space around a value, or the same byte
        except Damaged:
            noticed += 1
    assert noticed > samples / 2  # most changes are detected: few bytes are white space


@pytest.mark.parametrize("path", ["nothing.json", "."])
def test_an_unreadable_saved_plan_is_a_usage_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="cannot be read: "):
        read_saved_plan(tmp_path / path)


@pytest.mark.parametrize("path", ["missing/plan.json", "folder"])
def test_an_unwritable_saved_plan_leaves_no_file(tmp_path: Path, path: str) -> None:
    """FI-24"""
    (tmp_path / "folder").mkdir()
    with pytest.raises(Unwritable, match=rf"{path} cannot be written: "):
        save_plan(tmp_path / path, planned(), terms(), {})
    assert [file.name for file in tmp_path.rglob("*")] == ["folder"]


def test_a_saved_plan_for_an_embedded_target_is_read_back(tmp_path: Path) -> None:
    embedded = terms(target=Target(name="local", url="embedded:site.db"))
    save_plan(tmp_path / "plan.json", planned(), embedded, {})
    read_saved_plan(tmp_path / "plan.json").check_current(planned(), embedded)


def test_a_saved_plan_replaces_a_saved_plan_or_an_empty_file(file: Path, tmp_path: Path) -> None:
    save_plan(file, planned(FOLDER_WITHOUT_WOOD), terms(FOLDER_WITHOUT_WOOD), {"version": 1})
    assert read_saved_plan(file).content["plan"] == {"version": 1}
    (tmp_path / "empty").touch()
    save_plan(tmp_path / "empty", planned(), terms(), {})


def test_a_saved_plan_never_replaces_content(tmp_path: Path) -> None:
    file = tmp_path / "about.md"
    file.write_text("---\ntitle: About\n---\n", encoding="utf-8")
    with pytest.raises(Unwritable, match=r"about\.md exists already, and is not a plan$"):
        save_plan(file, planned(), terms(), {})
    assert file.read_text(encoding="utf-8").startswith("---")
