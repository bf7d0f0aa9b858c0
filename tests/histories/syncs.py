"""Two equal folders with a server each: one is synced with shortcuts, the other without."""

import io
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console

from contentsync.cli.find_plan import PlanFinder
from contentsync.cli.options import WITHOUT_SHORTCUTS, OnConflict, OnDrift, SyncFormat
from contentsync.cli.plan_options import ApplyOptions, OutputOptions, PlanOptions
from contentsync.cli.session import Session
from contentsync.cli.sync_command import sync
from contentsync.errors import ContentsyncError

from ..sync_faults.records import Stored
from .engine import History, Profile, Step
from .plan_changes import CHANGES
from .plan_history import MARGIN, TICK, PlanHistory, environment
from .server import Server, serving

_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")  # of the creation of a record
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
        """Sync with the options; return everything that it says. Before it writes, another user may `meddle`."""
        printed, errors = io.StringIO(), io.StringIO()
        opened: list[Session] = []

        def open_session(*arguments: Any) -> Session:
            opened.append(Session.open(*arguments))
            return opened[-1]

        def before_write() -> None:
            self.planned.random.seed(seed)
            meddle(self.planned)

        with ExitStack() as stack:
            stack.enter_context(redirect_stdout(printed))
            stack.enter_context(redirect_stderr(errors))
            if not self.has_shortcuts:
                stack.enter_context(environment(WITHOUT_SHORTCUTS, "1"))
            stack.enter_context(environment("CONTENTSYNC_TOKEN", self.planned.served.token))
            try:
                finder = PlanFinder.open(self.planned.folder, options, Console(file=errors), MARGIN, open_session)
                apply_options = ApplyOptions(yes=True, concurrency=1, before_write=before_write)
                output = OutputOptions(SyncFormat.JSON)
                code: object = sync(finder.session, finder.open_plan(to_apply=True), apply_options, output)
            except ContentsyncError as error:
                code = f"{type(error).__name__} {error} {getattr(error, 'problems', '')}"
        self.planned.recalled += not opened
        document = json.loads(printed.getvalue() or "{}")
        document.pop("run", None)
        said = json.dumps([code, document])
        said = said.replace(self.planned.served.recorder.url, "").replace(str(self.planned.folder.parent), "")
        return _TIME.sub("", said)

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


MEDDLING = (*[leave_alone] * 5, move_a_listing, create_a_listing, delete_a_record, change_a_record)


def _twins(history: History) -> tuple[Twin, Twin]:
    twins: tuple[Twin, Twin] = history.notes["twins"]
    return twins


def _begin(history: History) -> str:
    server = history.server
    other = history.cleanup.enter_context(serving())
    other.begin()
    twins = []
    for name, each in (("with", server), ("without", other)):
        planned = PlanHistory(history.folder.parent / name / "site", each.served, random.Random(0))
        twins.append(Twin(each, planned, has_shortcuts=name == "with"))
        with environment("CONTENTSYNC_TOKEN", each.served.token):
            planned.begin()
    history.notes["twins"] = tuple(twins)
    return "begin"


def _taking(change: Callable[[PlanHistory], None]) -> Step:
    def take(history: History) -> str:
        seed = history.dice.random()
        for twin in _twins(history):
            twin.planned.random.seed(seed)
            with environment("CONTENTSYNC_TOKEN", twin.planned.served.token):
                change(twin.planned)
        return change.__name__.replace("_", " ")

    return take


def syncs_are_equal(history: History) -> Iterator[str]:
    """A sync says, writes and leaves the same with and without shortcuts."""
    with_shortcuts, without = twins = _twins(history)
    for repeated in (False, True):
        seed, chosen = history.dice.randrange(1000), history.dice.choice(OPTIONS)
        meddle = leave_alone if repeated else history.dice.choice(MEDDLING)
        time.sleep(TICK * 2)
        options = replace(with_shortcuts.planned.options, **chosen)
        history.story.append(f"  sync with {chosen}, while another user: {meddle.__name__.replace('_', ' ')}")
        said = [twin.sync(options, meddle, seed) for twin in twins]
        if said[0] != said[1]:
            yield f"says something else: {said[0]} instead of {said[1]}"
        if with_shortcuts.records() != without.records():
            yield f"leaves other records: {with_shortcuts.records()} instead of {without.records()}"
        if with_shortcuts.state() != without.state():
            yield f"leaves another state: {with_shortcuts.state()} instead of {without.state()}"
    history.counts["recalled"] = with_shortcuts.planned.recalled


SYNCS = Profile(
    begin=_begin,
    steps={_taking(change): CHANGES.count(change) for change in dict.fromkeys(CHANGES) if change.__name__ != "sync"},
    oracles=(syncs_are_equal,),
    length=(6, 6),
    seeds=1_000,
)
