"""Publish 1,000 pictures: `make torture-publish`, or `python -m tests.torture.publish --kills 20`.

A second sync must send nothing, a changed file must get another address, and no run that is killed may leave an entry
that names a missing file. `report.json` has the figures, the seed and what was wrong; exit code 1 if anything was.
"""

import argparse
import json
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import fromstring

from contentsync.content.pictures.published_names import published_names

from ..content.pictures.picture_bytes import png
from ..exchange.publish.s3_server import S3Server, s3_server
from .pool import write_report

BASE = "https://cdn.example.com/"
BUCKET = "pictures"
IN_TEXTS = 50  # pictures that are in the texts of articles
CHANGES = 12  # pictures that change before each kill
PICTURE_SIZE = 20_000  # bytes


class Site:
    """A folder with pictures, an embedded target and a store. `environ` is that of its syncs."""

    def __init__(self, folder: Path, store: str, pictures: int, seed: int, environ: dict[str, str]) -> None:
        self.folder = folder
        self.wrong: list[str] = []
        self._environ = {**os.environ, **environ}
        self._random = random.Random(seed)
        self._pictures = pictures
        self._version = 0
        (folder / "static").mkdir(parents=True)
        (folder / "articles").mkdir()
        (folder / "listings").mkdir()
        settings = f'[assets]\npath = "static"\nstore = "{store}"\nstore_url = "{BASE}"\n'
        (folder / "contentsync.toml").write_text(f'[site]\nname = "T"\n{settings}', encoding="utf-8")
        rows = [f"Tool {number},https://example.org/{number},/p{number}.png,A" for number in range(pictures)]
        table = "\n".join(["name,url,image_url,image_alt_text", *rows, ""])
        (folder / "listings/tools.csv").write_text(table, encoding="utf-8")
        for number in range(IN_TEXTS):
            text = f"---\ntitle: A{number}\nslug: a{number}\n---\n![A](/p{number}.png) and ![B](/p{number + 1}.png)\n"
            (folder / f"articles/a{number}.md").write_text(text, encoding="utf-8")
        self.change(pictures)

    def change(self, count: int) -> list[int]:
        """Give some pictures other bytes; return their numbers."""
        self._version += 1
        changed = self._random.sample(range(self._pictures), count)
        for number in changed:
            data = png(1 + number, 1 + self._version, size=PICTURE_SIZE)
            (self.folder / f"static/p{number}.png").write_bytes(data)
        return changed

    def start(self) -> "subprocess.Popen[str]":
        """Start a sync."""
        words = [sys.executable, "-m", "contentsync", "sync", str(self.folder), "--yes", "--quiet"]
        return subprocess.Popen(words, env=self._environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def sync(self) -> str:
        """Run a sync to its end and return its output."""
        process = self.start()
        output, _ = process.communicate(timeout=300)
        if process.returncode:
            self.wrong.append(f"a sync ended with {process.returncode}: {output}")
        return output

    def plan(self) -> dict[str, Any]:
        words = [sys.executable, "-m", "contentsync", "plan", str(self.folder), "--format", "json"]
        ran = subprocess.run(words, env=self._environ, capture_output=True, text=True, timeout=300, check=False)
        document: dict[str, Any] = json.loads(ran.stdout)
        return document

    def named(self) -> set[str]:
        """Return the names of all files that entries on the server name."""
        database = self.folder / ".contentsync/site.db"
        if not database.exists():
            return set()
        with closing(sqlite3.connect(database)) as connection:
            return {name for line in connection.iterdump() for name in published_names(line, BASE)}


def torture_bucket(folder: Path, server: S3Server, pictures: int, kills: int, seed: int) -> dict[str, Any]:
    """Return the report on a store in S3; `wrong` is empty if all promises were kept."""
    site = Site(folder, f"s3://{BUCKET}/site", pictures, seed, server.environ)
    report: dict[str, Any] = {"pictures": pictures, "seed": seed}
    server.make_bucket(BUCKET)
    report["first"] = _timed(site, server)
    report["second"] = second = _timed(site, server)
    if second["requests"] or second["bytes"]:
        site.wrong.append(f"the second sync sent {second['requests']} requests and {second['bytes']} bytes")
    for file in (folder / ".contentsync/cache/published").glob("*.txt"):
        file.unlink()
    report["without_memory"] = third = _timed(site, server)
    if third["bytes"]:
        site.wrong.append(f"without its memory, a sync sent {third['bytes']} bytes")
    report["changed_file"] = _check_changed_file(site, server)
    rolls = random.Random(seed)
    report["killed"] = {"before a request": 0, "after a request": 0, "later": 0, "not at all": 0}
    wanted = 2 * CHANGES + 3  # requests of a run, about: each file is looked up and then sent
    for number in range(1, kills + 1):
        site.change(CHANGES)
        how, at = rolls.choice(("before a request", "after a request", "later")), rolls.randint(1, wanted)
        delay = rolls.uniform(0, 0.4)
        how = _killed(site, server, how, at, delay)
        report["killed"][how] += 1
        _check_named(site, server, f"after kill {number} ({how} {at})")
        if number % 20 == 0:
            print(f"bucket: {number} of {kills} kills, {len(site.wrong)} wrong", flush=True)
    site.sync()
    _check_named(site, server, "at the end")
    if (plan := site.plan())["changes"] or "uploads" in plan:
        site.wrong.append("the plan after the last sync is not empty")
    return {**report, "stored": len(_stored(server)), "wrong": site.wrong}


def torture_folder(folder: Path, store: Path, pictures: int, kills: int, seed: int) -> dict[str, Any]:
    """Return the report on a store in a folder, whose runs are killed after a random time."""
    site, rolls = Site(folder, str(store), pictures, seed, {}), random.Random(seed)
    started = time.monotonic()
    site.sync()
    seconds = time.monotonic() - started
    for number in range(1, kills + 1):
        site.change(CHANGES)
        process = site.start()
        time.sleep(rolls.uniform(0.3, 1.1) * seconds)
        process.kill()
        process.communicate()
        missing = {name for name in site.named() if not (store / name).is_file()}
        short = {file.name for file in store.glob("*.png") if file.stat().st_size != PICTURE_SIZE}
        if missing or short:
            site.wrong.append(f"after kill {number}: {sorted(missing)} are missing, {sorted(short)} are incomplete")
    site.sync()
    return {"kills": kills, "seed": seed, "stored": len([*store.glob("*.png")]), "wrong": site.wrong}


def _stored(server: S3Server) -> dict[str, int]:
    """Return the sizes of the files in the bucket, by name."""
    found: dict[str, int] = {}
    token = ""
    while True:
        _, body, _ = server.ask("GET", f"/{BUCKET}?list-type=2&prefix=site/{token}")
        page = fromstring(body)  # of the server of this test
        for item in page.iterfind("{*}Contents"):
            found[item.findtext("{*}Key", "").removeprefix("site/")] = int(item.findtext("{*}Size", "0"))
        following = page.findtext("{*}NextContinuationToken")
        if following is None:
            return found
        token = f"&continuation-token={quote(following)}"


def _timed(site: Site, server: S3Server) -> dict[str, Any]:
    server.requests.clear()
    started = time.monotonic()
    site.sync()
    seconds = round(time.monotonic() - started, 2)
    sent = sum(size for _, _, size in server.requests)
    return {"seconds": seconds, "requests": len(server.requests), "bytes": sent}


def _check_changed_file(site: Site, server: S3Server) -> dict[str, Any]:
    before = _stored(server)
    (number,) = site.change(1)
    plan = site.plan()
    uploads = [file["name"] for file in plan.get("uploads", ())]
    addresses = {value["to"] for change in plan["changes"] for value in change["fields"].values()}
    if len(uploads) != 1 or uploads[0] in before or not any(uploads[0] in text for text in addresses):
        site.wrong.append(f"the plan after p{number}.png has changed: {plan}")
    result = _timed(site, server)
    return {**result, "uploads": len(server.uploads)}


def _killed(site: Site, server: S3Server, how: str, at: int, delay: float) -> str:
    """Sync, and kill the run; return when it was killed."""
    server.requests.clear()
    process = site.start()

    def kill() -> None:
        if len(server.requests) >= at:
            if how == "later":
                time.sleep(delay)
            process.kill()

    def kill_before(method: str, path: str) -> bool:
        kill()
        return False

    if how == "before a request":
        server.refuses = kill_before
    else:
        server.done = kill
    process.communicate(timeout=300)
    server.refuses, server.done = lambda method, path: False, lambda: None
    return how if process.returncode == -signal.SIGKILL else "not at all"


def _check_named(site: Site, server: S3Server, when: str) -> None:
    sizes = _stored(server)
    wrong = [name for name in site.named() if sizes.get(name) != PICTURE_SIZE]
    if wrong:
        site.wrong.append(f"{when}, entries name {sorted(wrong)}, which the store lacks")


def main() -> int:
    """Run both parts and write the report."""
    parser = argparse.ArgumentParser(prog="make torture-publish", description=__doc__)
    parser.add_argument("--pictures", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=200, help="of runs that publish in a bucket")
    parser.add_argument("--folder-kills", type=int, default=40, help="of runs that publish in a folder")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture-publish"), help="where the report goes")
    options = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # or each request is a line
    print(f"{options.pictures} pictures, {options.kills} kills, from seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as temporary, s3_server() as server:
        folder = Path(temporary)
        report = {
            "bucket": torture_bucket(folder / "a/site", server, options.pictures, options.kills, options.seed),
            "folder": torture_folder(
                folder / "b/site", folder / "store", min(options.pictures, 100), options.folder_kills, options.seed
            ),
        }
    for part in report.values():
        for error in part["wrong"]:
            print(error)
    return write_report(options.out / "report.json", report)


if __name__ == "__main__":
    sys.exit(main())
