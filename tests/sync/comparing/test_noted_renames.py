"""Entries that name their former keys, on a real server: each keeps its record, even if another one has the key."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from contentsync.errors import ContentError
from contentsync.model import RECORDS, Entry, Kind, Notes, Source
from contentsync.sync.planning.plan import Policy, Selection
from contentsync.sync.planning.server_checks import slug_conflicts
from contentsync.sync.state.state_file import write_state

from ...sampling import sampled
from ..bases import lines
from ..faults import Killed, killed
from ..site import PRUNING, TARGET, Site

NEEDED = {Kind.ARTICLE: {"markdown": "text"}, Kind.CUSTOM_FIELD: {"type": "text"}}
KINDS = [*Kind, "listing with a URL"]


class Folder:
    """Entries of one kind, each known by its title; `previous` are the former keys that it names."""

    def __init__(self, kind: str) -> None:
        self.kind = Kind(kind.partition(" ")[0])
        self._has_url = "URL" in kind

    def entry(self, key: str, title: str, *previous: str) -> Entry:
        model = RECORDS[self.kind]
        fields = {model.title_field: title, **NEEDED.get(self.kind, {})}
        if self._has_url:
            key, previous = self.key(key), tuple(map(self.key, previous))
        fields["url" if self._has_url else model.key_field] = key
        return Entry(self.kind, key, fields, Source(f"{title}.yaml"), Notes(previous=previous))

    def key(self, name: str) -> str:
        return f"https://{name}.example" if self._has_url else name

    def records(self, site: Site) -> dict[str, tuple[str, int | None]]:
        """Return the key and id of each record, by its title."""
        title = RECORDS[self.kind].title_field
        return {str(there.fields[title]): (key, there.id) for key, there in site.there(self.kind).items()}


def forget_ids(site: Site) -> None:
    """Reduce the base to the values that a commit contains."""
    write_state(site.state_dir.state, lines(site.base.values(), id=None, created=None), TARGET)


BASES: dict[str, Callable[[Site], None]] = {"state": lambda site: None, "commit": forget_ids}


# Before and after: the key of each entry, its title, and the former keys that it names.
HISTORIES: dict[str, tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]] = {
    "renamed, and a new one with the old key": ([("a", "A")], [("b", "A", "a"), ("a", "New")]),
    "renamed twice": ([("a", "A")], [("c", "A", "a", "b"), ("a", "New"), ("b", "Newer")]),
    "a chain": ([("a", "A"), ("b", "B")], [("c", "B", "b"), ("b", "A", "a"), ("a", "New")]),
    "a swap": ([("a", "A"), ("b", "B")], [("b", "A", "a", "x"), ("a", "B", "b"), ("x", "New")]),
    "a cycle": (
        [("a", "A"), ("b", "B"), ("c", "C")],
        [("b", "A", "a"), ("c", "B", "b"), ("a", "C", "c")],
    ),
    "the key of a deleted one": ([("a", "A"), ("b", "B")], [("b", "A", "a")]),
    "the key of a deleted one, and a new one": ([("a", "A"), ("b", "B")], [("b", "A", "a"), ("a", "New")]),
    "away and back": ([("a", "A")], [("a", "A", "b")]),
    "a key that no record has": ([("a", "A")], [("a", "A"), ("b", "B", "gone")]),
}


@pytest.mark.parametrize(
    ("kind", "history", "base"),
    sampled(((kind, history, base) for kind in KINDS for history in HISTORIES for base in BASES), every=6),
)
def test_an_entry_that_notes_a_former_key_keeps_its_record(tmp_path: Path, kind: str, history: str, base: str) -> None:
    folder, site = Folder(kind), Site(tmp_path)
    before, after = ([folder.entry(*each) for each in entries] for entries in HISTORIES[history])
    site.synced(before)
    then = folder.records(site)
    BASES[base](site)
    assert not slug_conflicts(site.planned(after))
    site.synced(after)
    now = folder.records(site)
    title = RECORDS[folder.kind].title_field
    assert {name: key for name, (key, _) in now.items()} == {entry.fields[title]: entry.key for entry in after}
    ids = {name: id_ for name, (_, id_) in then.items()}
    assert {name: id_ for name, (_, id_) in now.items() if name in ids} == {
        name: ids[name] for name in now.keys() & ids
    }
    assert {id_ for name, (_, id_) in now.items() if name not in ids}.isdisjoint(ids.values())
    assert not site.planned(after)


@pytest.mark.parametrize(
    ("history", "write", "stored"),
    sampled(
        (
            (history, write, stored)
            for history in ("a chain", "a swap", "the key of a deleted one, and a new one")
            for write in range(3)
            for stored in (False, True)
        ),
        every=3,
    ),
)
def test_a_second_run_completes_an_interrupted_rename(tmp_path: Path, history: str, write: int, stored: bool) -> None:
    """PL-10"""
    folder, site = Folder("tag"), Site(tmp_path)
    before, after = ([folder.entry(*each) for each in entries] for entries in HISTORIES[history])
    site.synced(before)
    then = folder.records(site)
    with pytest.raises(Killed):
        site.sync(after, killed(write, stored=stored), concurrency=1)
    assert site.planned(after).refusals == ()
    site.synced(after)
    now = folder.records(site)
    assert {name: key for name, (key, _) in now.items()} == {entry.fields["title"]: entry.key for entry in after}
    assert all(now[name][1] == then[name][1] for name in now.keys() & then.keys())
    assert not site.planned(after)


def tag(key: str, title: str, *previous: str) -> Entry:
    return Folder("tag").entry(key, title, *previous)


def records(site: Site) -> dict[str, tuple[str, int | None]]:
    return Folder("tag").records(site)


def contradictions(site: Site, *entries: Entry) -> list[tuple[str, str]]:
    """Return the location of each problem, and its message."""
    before = site.everything()
    with pytest.raises(ContentError) as raised:
        site.sync(entries)
    assert site.everything() == before
    assert {problem.code for problem in raised.value.problems} == {"ambiguous-previous"}
    return [(problem.where.path, problem.message) for problem in raised.value.problems]


def test_two_entries_with_the_same_former_key_are_both_reported(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    assert contradictions(site, tag("b", "B", "a"), tag("c", "C", "a")) == [
        ("B.yaml", "sync.previous names 'a', and so does that of tag c (C.yaml)"),
        ("C.yaml", "sync.previous names 'a', and so does that of tag b (B.yaml)"),
    ]


def test_the_key_of_an_unchanged_entry_cannot_be_a_former_key(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    message = "sync.previous names 'a', but tag a (A.yaml) has not changed since the last sync"
    assert contradictions(site, tag("a", "A"), tag("b", "B", "a")) == [("B.yaml", message)]


def test_an_entry_equal_to_its_own_record_keeps_it_despite_a_note(tmp_path: Path) -> None:
    """The author has merged another entry into it, and adds its former address as a redirect."""
    site = Site(tmp_path)
    site.synced([tag("a", "A"), tag("b", "B")])
    then = records(site)
    site.synced([tag("b", "B", "a")])
    assert records(site) == {"B": then["B"]}


def test_a_used_note_has_no_effect_on_later_entries(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    site.synced([tag("b", "A", "a")])
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    then = records(site)
    after = [tag("b", "A", "a"), tag("c", "New", "a")]
    site.synced(after)
    assert records(site) == {"A": ("b", then["A"][1]), "New": ("c", then["New"][1])}


def test_a_used_note_has_no_effect_after_another_rename(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    then = records(site)
    site.synced([tag("c", "A", "a", "b"), tag("a", "Newer")])
    assert records(site) == {"A": ("c", then["A"][1]), "Newer": ("a", then["New"][1])}


def test_a_used_note_has_no_effect_after_the_key_was_changed_by_hand(tmp_path: Path) -> None:
    """The entry is a new tag, whose note is about a deleted tag."""
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    then = records(site)
    site.synced([tag("c", "A", "a"), tag("a", "Newer")])
    assert records(site)["Newer"] == ("a", then["New"][1])


def test_a_note_used_for_one_entry_counts_for_another_with_the_same_text(tmp_path: Path) -> None:
    def page(key: str, title: str, text: str, *previous: str) -> Entry:
        fields = {"slug": key, "title": title, "markdown": text}
        return Entry(Kind.PAGE, key, fields, Source(f"pages/{key}.md"), Notes(previous=previous))

    site = Site(tmp_path)
    site.synced([page("c", "A", "One")])
    site.synced([page("b", "A", "Two", "c"), page("a", "B", "One", "b")])
    site.synced([page("b", "A", "Two", "c"), page("c", "B", "One", "b", "a")])
    then = Folder("page").records(site)
    # B has the text of A now, and notes `b`, which is A's: nothing but the page `b` itself shows that B is not A.
    site.synced([page("b", "A", "Two", "c"), page("d", "B", "Two", "b", "a", "c"), page("c", "New", "Text")])
    now = Folder("page").records(site)
    assert {title: now[title] for title in then} == {"A": then["A"], "B": ("d", then["B"][1])}


def test_a_repeated_rename_applies_to_the_new_entry(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    then = records(site)
    site.synced([tag("b", "New", "a")])
    assert records(site) == {"New": ("b", then["New"][1])}


def test_a_noted_rename_wins_over_a_rename_on_the_server(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    then = records(site)
    site.edit(Kind.TAG, "a", slug="theirs")
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    assert records(site)["A"] == ("b", then["A"][1])
    assert records(site)["New"][0] == "a"


def test_a_rename_also_made_on_the_server_needs_no_write(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    site.edit(Kind.TAG, "a", slug="b")
    then = records(site)
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    assert records(site)["A"] == then["A"]


def test_a_renamed_entry_whose_record_was_deleted_is_created_again(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A"), tag("z", "Z")])
    site.remove(Kind.TAG, "a")
    folder = [tag("b", "A", "a"), tag("a", "New"), tag("z", "Z")]
    plan = site.planned(folder)
    assert {change.key: change.recreates is not None for change in plan.changes} == {"b": True, "a": False}
    site.sync(folder, policy=Policy(prune=True, on_conflict="theirs"))
    assert records(site).keys() == {"New", "Z"}


def test_a_new_key_that_another_record_keeps_is_an_error_before_any_write(tmp_path: Path) -> None:
    """The entry of that record is no longer in the folder, but deletes are not allowed."""
    site = Site(tmp_path)
    site.synced([tag("a", "A"), tag("b", "B")])
    (problem,) = slug_conflicts(site.planned([tag("b", "A", "a")], Policy()))
    assert (problem.code, problem.message) == ("slug-taken", "the slug 'b' is that of tag b on the server")
    assert not slug_conflicts(site.planned([tag("b", "A", "a")], PRUNING))


def test_a_new_key_that_another_user_created_is_an_error(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    site.foreign(Kind.TAG, slug="b", title="Theirs")
    (problem,) = slug_conflicts(site.planned([tag("b", "A", "a"), tag("a", "New")]))
    assert (problem.code, problem.where.path) == ("slug-taken", "A.yaml")


def test_a_new_entry_with_a_former_key_needs_the_rename_in_the_same_plan(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    after = [tag("b", "A", "a"), tag("a", "New")]
    (problem,) = slug_conflicts(site.planned(after, selection=Selection.parse(["tag/a"])))
    assert (problem.code, problem.where.path) == ("slug-taken", "New.yaml")


def test_references_follow_the_entry_that_notes_its_former_key(tmp_path: Path) -> None:
    def listing(name: str, *tags: str) -> Entry:
        return Entry(Kind.LISTING, name, {"slug": name, "name": name, "tags": list(tags)}, Source("all.csv"))

    site = Site(tmp_path)
    site.synced([tag("a", "A"), tag("b", "B"), listing("one", "a"), listing("two", "a", "b")])
    site.synced([tag("b", "A", "a"), tag("a", "New"), listing("one", "b"), listing("two", "a", "b")])
    there = site.there(Kind.LISTING)
    assert [sorted(there[name].fields["tags"]) for name in ("one", "two")] == [["b"], ["a", "b"]]
    assert records(site).keys() == {"A", "New"}


def without_base(site: Site) -> None:
    site.state_dir.state.unlink()


def test_a_note_without_a_base_requires_consent(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a", "A")])
    then = records(site)
    without_base(site)
    after = [tag("b", "A", "a"), tag("a", "New")]
    assert [refusal.code for refusal in site.planned(after).refusals] == ["adoption"]
    site.synced(after)
    assert records(site)["A"] == ("b", then["A"][1])


def test_a_note_without_a_base_has_no_effect_if_both_keys_exist(tmp_path: Path) -> None:
    site = Site(tmp_path)
    folder = [tag("b", "A", "a"), tag("a", "New"), tag("x", "X", "y"), tag("y", "Y", "x")]
    site.synced(folder)
    without_base(site)
    assert not site.planned(folder)


def test_an_entry_equal_to_its_record_keeps_it_without_a_base(tmp_path: Path) -> None:
    """The renamed entry was deleted on the server since."""
    site = Site(tmp_path)
    site.synced([tag("a", "New")])
    then = records(site)
    without_base(site)
    site.synced([tag("b", "A", "a"), tag("a", "New")])
    assert records(site)["New"] == then["New"]
