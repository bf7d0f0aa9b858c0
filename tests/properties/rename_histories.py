"""Random histories of renames, new entries, deletes, edits and syncs, beside a model of which record each entry is."""

import random
from dataclasses import dataclass
from typing import Any

from contentsync.authoring.rename.rename_plan import apply_rename, plan_rename
from contentsync.cli.target_connection import EMBEDDED_TARGET
from contentsync.model import RECORDS, Kind
from contentsync.sync import Consents, Limits, Policy, StateDir, Status, read_state
from contentsync.sync.state.recovery import may_be_synced
from contentsync.sync.state.state_file import write_state

from .file_formats import document, yaml_list
from .folders import CONFIG, write
from .workplace import Workplace

SLUGS = ("aa", "bb", "cc", "dd")
KINDS = (Kind.PAGE, Kind.TAG, Kind.LISTING)
STEPS = {"rename": 8, "create": 5, "delete": 2, "edit": 2, "sync": 4}  # how often each is drawn
EVERYTHING = Limits(100, 1_000)


@dataclass
class Item:
    """An entry of the folder: its title never changes, its slug may; `record` is the id on the server."""

    title: str
    slug: str
    record: int | None = None
    text: str = "Text"
    previous: tuple[str, ...] = ()


class RenameHistory:
    """A folder of entries of one kind that changes step by step, and what must be on the server after each sync.

    Each record stays with its entry when `contentsync mv` renames the entry. A new entry may get a new record, or that
    of a deleted entry; it never gets the record of another entry that is still there.
    """

    def __init__(self, place: Workplace, kind: Kind, seed: int, *, has_ids: bool) -> None:
        self._place = place
        self._kind = kind
        self._random = random.Random(f"{kind}{seed}")
        self._has_ids = has_ids  # of the base; the base of a commit has none
        self._items: list[Item] = []
        self._count = 0
        self.steps: list[str] = []
        place.load({"contentsync.toml": CONFIG, "categories.yaml": yaml_list([{"slug": "kept", "title": "Kept"}])})

    def play(self, steps: int) -> None:
        """Make random steps, and then a sync."""
        for step in self._random.choices([*STEPS], [*STEPS.values()], k=steps):
            getattr(self, f"_{step}")()
        self._sync()

    def _rename(self) -> None:
        free = self._free_slugs()
        if not self._items or not free:
            return
        item, slug = self._random.choice(self._items), self._random.choice(free)
        self.steps.append(f"mv {item.slug} {slug}")
        folder = self._place.folder
        plan = plan_rename(
            folder,
            f"{self._kind}/{item.slug}",
            slug,
            folder,
            lambda config, entries, entry: may_be_synced(folder, [EMBEDDED_TARGET], entries, entry),
        )
        apply_rename(plan)
        item.slug, item.previous = slug, plan.renaming.previous

    def _create(self) -> None:
        if free := self._free_slugs():
            self._count += 1
            item = Item(f"Title {self._count}", self._random.choice(free))
            self.steps.append(f"new {item.slug} ({item.title})")
            self._items.append(item)
            self._write()

    def _delete(self) -> None:
        if self._items:
            item = self._items.pop(self._random.randrange(len(self._items)))
            self.steps.append(f"delete {item.slug} ({item.title})")
            self._write()

    def _edit(self) -> None:
        if self._items:
            item = self._random.choice(self._items)
            item.text = self._random.choice(["One", "Two", "Three"])
            self.steps.append(f"edit {item.slug}")
            self._write()

    def _sync(self) -> None:
        self.steps.append("sync")
        if not self._has_ids:
            self._remove_ids()
        policy = Policy(prune=True, on_drift="overwrite", limits=EVERYTHING)
        deletes = self._place.plan(policy).deletes
        outcome = self._place.sync(
            Policy(prune=True, on_drift="overwrite", limits=EVERYTHING, allowed=Consents(deletes=deletes or None))
        )
        assert outcome.error is None, (self.steps, getattr(outcome.error, "problems", outcome.error))
        assert outcome.refusals == (), (self.steps, outcome.refusals)
        assert {result.status for result in outcome.results} <= {Status.DONE}, (self.steps, outcome.results)
        title = RECORDS[self._kind].title_field
        there = {entry.fields[title]: entry for entry in self._place.entries() if entry.kind is self._kind}
        assert {name: entry.key for name, entry in there.items()} == {it.title: it.slug for it in self._items}, (
            self.steps
        )
        known = {item.title: item.record for item in self._items if item.record is not None}
        assert {name: there[name].id for name in known} == known, self.steps
        new = {there[item.title].id for item in self._items if item.record is None}
        assert new.isdisjoint(known.values()), self.steps
        for item in self._items:
            item.record = there[item.title].id

    def _free_slugs(self) -> list[str]:
        return [slug for slug in SLUGS if slug not in {item.slug for item in self._items}]

    def _remove_ids(self) -> None:
        """Leave what a commit knows as the base."""
        file = StateDir.for_target(self._place.folder, EMBEDDED_TARGET.name).state
        base = read_state(file, EMBEDDED_TARGET)
        if base.is_known:
            entries = (applied._replace(id=None, created=None) for applied in base.values())
            write_state(file, entries, EMBEDDED_TARGET)

    def _write(self) -> None:
        """Write the folder as its author would have: each entry with its notes."""
        folder = self._place.folder
        if self._kind is Kind.PAGE:
            for page in (folder / "pages").glob("*.md"):
                page.unlink()
            files = {
                f"pages/{item.slug}.md": document({"title": item.title, **_notes(item), "body": item.text})
                for item in self._items
            }
            write(files, folder)
            return
        text = "icon" if self._kind is Kind.TAG else "description"
        title = RECORDS[self._kind].title_field
        rows = [{"slug": it.slug, title: it.title, text: it.text, **_notes(it)} for it in self._items]
        file = "listings/all.yaml" if self._kind is Kind.LISTING else f"{self._kind.plural}.yaml"
        write({file: yaml_list(rows) or "[]\n"}, folder)


def _notes(item: Item) -> dict[str, Any]:
    return {"sync": {"previous": [*item.previous]}} if item.previous else {}


def play(kind: Kind, seed: int, *, has_ids: bool, steps: int = 14) -> None:
    """Play one history. Raise AssertionError with its steps where the server is not as the model."""
    with Workplace() as place:
        RenameHistory(place, kind, seed, has_ids=has_ids).play(steps)
