"""A history of ordinary work: real commits, each followed by `sync --yes`, and what the gates refuse.

The history goes on with the consent that a refusal names. After each sync, a plan is empty, and the sync has created
and deleted as many entries as the authors have: a rename keeps its record.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..hooks.repositories import Tree
from ..http_server import listening
from ..in_process import environment, run_command
from . import ordinary_site as sites
from .content import FILE, Entry, Site
from .ordinary_acts import ACTS, Desk
from .ordinary_site import Draw, slug

_REFUSED = 3
_COMMANDS = {"fetch": 0.25, "mv": 0.2}  # the share of commits that begin with the command
_RENAMED = ("page", "page", "article", "organizer", "category", "tag")
_OFFERS = 20  # listings of the feed


@dataclass(frozen=True)
class Refusal:
    """A refused sync: the acts since the last one, the messages, and the options that were passed then."""

    seed: int
    acts: str
    messages: list[str]
    consent: str


@dataclass
class Played:
    """The outcome of a history."""

    syncs: int = 0
    refused: list[Refusal] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)


def play(seed: int, commits: tuple[int, int] = (4, 8), scale: float = 1.0) -> Played:
    """Play a history of as many commits as are drawn from between two numbers, after the first sync."""
    dice = random.Random(seed)
    feed: dict[str, bytes] = {}
    with TemporaryDirectory(prefix="ordinary-") as home, listening(_serving(feed)) as address:
        history = _History(seed, Draw(dice), Tree.new(Path(home) / "site"), feed)
        history.begin(f"{address}/prices.csv", scale)
        for _ in range(dice.randint(*commits)):
            history.work()
        return history.played


def summary(histories: list[Played]) -> dict[str, Any]:
    """Return how many syncs there were, and which of them were refused."""
    syncs = sum(history.syncs for history in histories)
    refused = sorted((refusal for history in histories for refusal in history.refused), key=lambda each: each.seed)
    share = round(100 * len(refused) / max(1, syncs), 2)
    cases = [asdict(refusal) for refusal in refused]
    return {"histories": len(histories), "syncs": syncs, "refused": len(refused), "percent": share, "refusals": cases}


class _History:
    def __init__(self, seed: int, draw: Draw, tree: Tree, feed: dict[str, bytes]) -> None:
        self.played = Played()
        self._seed = seed
        self._draw = draw
        self._dice = draw.dice
        self._tree = tree
        self._feed = feed
        self._site: Site = {}
        self._offers: list[Entry] = []

    def begin(self, address: str, scale: float) -> None:
        """Write the site, fetch the prices, and sync."""
        self._site = sites.first(self._draw, scale)
        self._tree.write("contentsync.toml", sites.config(address))
        sites.write(self._site, self._tree.path)
        self._offers = [sites.offer(self._draw) for _ in range(max(3, round(_OFFERS * scale)))]
        self._publish_offers()
        self._run("fetch")
        self._deliver("the first sync", sites.count(self._site) + len(self._offers), 0)

    def work(self) -> None:
        """Do some ordinary work, commit it, and sync."""
        created = deleted = 0
        done: list[str] = []
        touched: list[str] = []
        if self._dice.random() < _COMMANDS["mv"]:
            renamed, touched = self._rename()
            done.append(renamed)
        if self._dice.random() < _COMMANDS["fetch"]:
            fetched, created, deleted = self._fetch()
            done.append(fetched)
        desk = Desk(self._site, self._draw, touched)
        number = self._dice.choice((1, 1, 1, 2, 2, 3)) - bool(done)
        done += [act(desk) for act in self._dice.choices([*ACTS], [*ACTS.values()], k=max(0, number))]
        sites.write(desk.site, self._tree.path)
        self._deliver(", ".join(filter(None, done)) or "nothing", created + desk.created, deleted + desk.deleted)

    def _rename(self) -> tuple[str, list[str]]:
        """Rename an entry with `mv`; return what was done, and the names of its files."""
        kind = self._dice.choice(_RENAMED)
        folder = {"category": "categories"}.get(kind, f"{kind}s")
        entry = self._dice.choice(sites.originals(self._site, folder))
        old, new = entry.get("slug", entry.get(FILE)), slug(self._draw.name())
        self._run("mv", f"{kind}/{old}", new, "--yes")
        self._site = sites.read(self._tree.path)
        return f"mv {kind}/{old} {new}", [new, new + sites.LANGUAGE, str(entry.get(FILE))]

    def _fetch(self) -> tuple[str, int, int]:
        """Fetch the offers with other prices; return what was done, and how many offers are new and gone."""
        gone = set(self._dice.sample(range(len(self._offers)), self._dice.choice((0, 0, 1))))
        new = [sites.offer(self._draw) for _ in range(self._dice.choice((0, 0, 1, 2)))]
        self._offers = [offer for number, offer in enumerate(self._offers) if number not in gone] + new
        for offer in self._offers:
            offer["price"] = self._draw.price()
        for offer in self._dice.sample(self._offers, self._dice.choice((0, 0, 2, 3))):
            offer["description"] = self._draw.text(1)
        self._dice.shuffle(self._offers)
        self._publish_offers()
        self._run("fetch")
        return f"fetch {len(self._offers)} prices", len(new), len(gone)

    def _publish_offers(self) -> None:
        self._feed["/prices.csv"] = sites.table(self._offers).encode()

    def _deliver(self, acts: str, created: int, deleted: int) -> None:
        """Commit and sync, with consent after a refusal; then a plan must be empty."""
        self.played.acts.append(acts)
        self._tree.git("add", "--all", ".")
        self._tree.git("commit", "--quiet", "--allow-empty", f"--message={acts}")
        self.played.syncs += 1
        code, report = self._sync()
        if code == _REFUSED and (consent := _consent(report)):
            messages = [refusal["message"] for refusal in report["refused"]]
            self.played.refused.append(Refusal(self._seed, acts, messages, " ".join(consent)))
            code, report = self._sync(*consent)
        for problem in _problems(code, report, created, deleted):
            self.played.wrong.append(f"{problem}, after {acts}")
        code, out, err = self._command("plan", "--detailed-exitcode")
        if code:
            self.played.wrong.append(f"plan: exit code {code} after {acts}: {out}{err}")

    def _sync(self, *consent: str) -> tuple[int, dict[str, Any]]:
        code, out, err = self._command("sync", "--yes", "--format", "json", *consent)
        report: dict[str, Any] = json.loads(out) if out else {}
        return code, {"stderr": err, **report}

    def _run(self, *words: str) -> None:
        code, out, err = self._command(*words)
        if code:
            self.played.wrong.append(f"{words[0]}: exit code {code}: {' '.join(words)}: {out}{err}")

    def _command(self, *words: str) -> tuple[int, str, str]:
        return run_command(words, environment(), self._tree.path)


def _problems(code: int, report: dict[str, Any], created: int, deleted: int) -> Iterator[str]:
    """Yield why a sync was not as expected."""
    if code:
        yield f"sync: exit code {code}: {report['stderr']}"
        return
    counts = report["summary"]["create"], report["summary"]["delete"]
    if counts != (created, deleted):
        yield f"sync: {counts[0]} created and {counts[1]} deleted, not {created} and {deleted}"


def _consent(report: dict[str, Any]) -> list[str]:
    """Return the options that the refusals name; [] if one names no option."""
    flags = {refusal["flag"] for refusal in report.get("refused", [])}
    return [] if None in flags else [word for flag in sorted(flags) for word in flag.split()]


def _serving(feed: dict[str, bytes]) -> type[BaseHTTPRequestHandler]:
    """Return a handler that answers with the data of each path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(feed[self.path])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler
