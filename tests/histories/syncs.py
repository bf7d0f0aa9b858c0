"""Two equal folders with a server each: one is synced with shortcuts, the other without."""

import io
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console

from contentsync.cli.find_plan import PlanFinder
from contentsync.cli.options import WITHOUT_SHORTCUTS, OnConflict, OnDrift, SyncFormat, from_confirmed_files
from contentsync.cli.plan_options import ApplyOptions, OutputOptions, PlanOptions
from contentsync.cli.sync_command import sync
from contentsync.content.folder.load import Content
from contentsync.errors import ContentsyncError

from ..indexed import store_index
from ..sync_faults.records import Stored
from . import plan_changes, troubles
from .engine import History, Profile, Step
from .plan_changes import CHANGES
from .plan_history import MARGIN, TICK, PlanHistory, environment, noting_whole, without_caches
from .plan_troubles import TROUBLES, plan_in_a_process
from .server import Server, serving

TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")  # of the creation of a record
NEW = {"name": "New", "url": "https://new.example.org/", "slug": "second"}
OPTIONS: tuple[dict[str, Any], ...] = (
    *({}, {}),
    {"prune": True, "allow_deletes": 9},
    {"prune": True},
    {"on_conflict": OnConflict.THEIRS},
    {"on_drift": OnDrift.OVERWRITE},
    {"adopt": True},
)


@dataclass
class Twin:
    """A folder and its server."""

    server: Server
    planned: PlanHistory
    has_shortcuts: bool

    def sync(self, options: PlanOptions, meddle: Callable[[PlanHistory], object], seed: int) -> str:
        """Sync with the options; return everything that it says. Before it writes, another user may `meddle`.

        Without shortcuts, nothing of an earlier command is used but the state and the journals.
        """
        printed, errors = io.StringIO(), io.StringIO()
        whole: list[Content] = []

        def before_write() -> None:
            self.planned.random.seed(seed)
            meddle(self.planned)

        def run(no_index: bool) -> int:
            chosen = replace(options, no_index=no_index)
            load = noting_whole(whole, chosen)
            finder = PlanFinder.open(self.planned.folder, chosen, Console(file=errors), MARGIN, load)
            apply_options = ApplyOptions(yes=True, concurrency=1, before_write=before_write)
            return sync(*finder.begin(to_apply=True), apply_options, OutputOptions(SyncFormat.JSON))

        with redirect_stdout(printed), redirect_stderr(errors), self.shortcuts():
            try:
                code: object = from_confirmed_files(run, no_index=options.no_index)
            except ContentsyncError as error:
                code = f"{type(error).__name__} {error} {getattr(error, 'problems', '')}"
            if self.has_shortcuts:
                store_index(self.planned.folder, MARGIN)
        self.planned.recalled += not whole
        self.planned.indexed += any(content.from_index for content in whole)
        document = json.loads(printed.getvalue() or "{}")
        document.pop("run", None)
        said = json.dumps([code, document])
        said = said.replace(self.server.url, "").replace(str(self.planned.folder.parent), "")
        return TIME.sub("", said)

    @contextmanager
    def shortcuts(self) -> Iterator[None]:
        """Let commands use shortcuts in the block if this twin has them."""
        with environment("CONTENTSYNC_TOKEN", self.planned.served.token):
            if self.has_shortcuts:
                yield
            else:
                with environment(WITHOUT_SHORTCUTS, "1"), without_caches(self.planned.private):
                    yield

    def records(self) -> dict[Any, Any]:
        """Return the records of the server; times are left out."""

        def content(record: Stored) -> dict[str, Any]:
            found = {**record.content, "data": {**record.content.get("data", {}), "published_at": None}}
            return {**found, "published_at": None}  # by default, the time of the create

        return {key: (record.id, content(record)) for key, record in self.server.records().items()}

    def state(self) -> list[Any]:
        """Return the lines of the state file; times are left out."""
        file = self.planned.private / "state" / f"{self.planned.options.target}.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [{**json.loads(line), "check": 0, "created": 0, "url": ""} for line in lines]


def leave_alone(history: PlanHistory) -> None:
    """Let nothing happen before the writes."""


def create_a_listing(history: PlanHistory) -> None:
    """Create a listing with the key of one that a sync may create, unless there is one."""
    history.served.ask("POST", "projects", NEW)


def delete_a_record(history: PlanHistory) -> None:
    collection = history.random.choice(["projects", "pages", "tags"])
    if records := history.served.get(collection)["data"]:
        history.served.delete(f"{collection}/{history.random.choice(records)['id']}")


def change_a_record(history: PlanHistory) -> None:
    collection = history.random.choice(["projects", "pages", "tags"])
    if records := history.served.get(collection)["data"]:
        name = "name" if collection == "projects" else "title"
        record = history.random.choice(records)
        history.served.update(f"{collection}/{record['id']}", {name: f"Theirs {history.random.random()}"})


def move_a_listing(history: PlanHistory) -> None:
    """Give a listing the key of one that a sync may create."""
    if listings := history.served.get("projects")["data"]:
        free = all(each["url"] != NEW["url"] for each in listings)
        history.served.update(
            f"projects/{history.random.choice(listings)['id']}", {"url": NEW["url"]} if free else {"description": "It"}
        )


def plan_in_another_process(history: PlanHistory) -> None:
    """Let another process write the caches while the sync has the lock."""
    plan_in_a_process(history)


MEDDLING = (
    *(*[leave_alone] * 5, plan_in_another_process),
    *(move_a_listing, create_a_listing, delete_a_record, change_a_record),
)


def twins_of(history: History) -> tuple[Twin, Twin]:
    """Return the folder that is synced with shortcuts, and the one without."""
    twins: tuple[Twin, Twin] = history.notes["twins"]
    return twins


def begin_twins(history: History) -> str:
    """Write two equal folders, and sync each to its own server."""
    server = history.server
    other = history.cleanup.enter_context(serving())
    other.begin()
    twins = []
    for name, each in (("with", server), ("without", other)):
        planned = PlanHistory(history.folder.parent / name / "site", each.served, random.Random(0), each)
        twins.append(Twin(each, planned, has_shortcuts=name == "with"))
        with twins[-1].shortcuts():
            planned.begin()
    history.notes["twins"] = tuple(twins)
    return "begin"


def taking(change: Callable[[PlanHistory], None]) -> Step:
    """Return the step that makes the same change to both."""

    def take(history: History) -> str:
        seed = history.dice.random()
        for twin in twins_of(history):
            twin.planned.random.seed(seed)
            with twin.shortcuts():
                change(twin.planned)
        return change.__name__.replace("_", " ")

    return take


def syncs_are_equal(history: History) -> Iterator[str]:
    """A sync says, writes and leaves the same with and without shortcuts."""
    with_shortcuts, without = twins = twins_of(history)
    for repeated in (False, True):
        seed, chosen = history.dice.randrange(1000), history.dice.choice(OPTIONS)
        meddle = leave_alone if repeated else history.dice.choice(MEDDLING)
        time.sleep(TICK * 2)
        options = replace(with_shortcuts.planned.options, **chosen)
        is_troubled = not repeated and history.dice.random() < 0.3
        said = []
        for twin in twins:
            trouble = troubles.of_a_write(random.Random(seed)) if is_troubled else None  # it counts the writes
            with troubles.meeting(twin.server, trouble) if trouble else nullcontext():
                said.append(twin.sync(options, meddle, seed))
        meanwhile = meddle.__name__.replace("_", " ")
        history.story.append(f"  sync with {chosen}, {trouble or 'no trouble'}, while another user: {meanwhile}")
        if said[0] != said[1]:
            yield f"says something else: {said[0]} instead of {said[1]}"
        if with_shortcuts.records() != without.records():
            yield f"leaves other records: {with_shortcuts.records()} instead of {without.records()}"
        if with_shortcuts.state() != without.state():
            yield f"leaves another state: {with_shortcuts.state()} instead of {without.state()}"
    history.counts["recalled"] = with_shortcuts.planned.recalled
    history.counts["indexed"] = with_shortcuts.planned.indexed


SYNCS = Profile(
    begin=begin_twins,
    steps={
        taking(change): number
        for change, number in Counter((*CHANGES, *TROUBLES)).items()
        if change is not plan_changes.sync
    },
    oracles=(syncs_are_equal,),
    length=(6, 6),
    seeds=1_000,
)
