"""Edits in the dashboard of staging arrive on production, by `pull` and `sync` (docs/targets.md)."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..serving import Serving, make_tenant, serving
from .conftest import contentsync

COLLECTIONS = ("categories", "tags", "custom-fields", "organizers", "projects", "pages", "articles")
# What two servers assign to the same content, each for itself.
OF_A_SERVER = {"id", "created_at", "updated_at", "user", "user_id", "directory", "directory_id", "parent_id"}

FILES = {
    "categories.yaml": "- {title: Tools, slug: tools}\n",
    "listings/tools.csv": "name,slug,categories\nHammer,hammer,tools\nSaw,saw,tools\n",
    "pages/about.md": "---\n# who we are\ntitle: About\n---\nWe.\n",
    "articles/news.md": "---\ntitle: News\npublished_at: 2026-03-01\n---\nSee [us](/pages/about/).\n",
}


class Target(NamedTuple):
    """A directory on a server of its own."""

    server: Serving
    directory: int
    token: str

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        status, document = self.server.ask(method, f"/api/directories/{self.directory}/{path}", body, **headers)
        assert status in (200, 201), document
        return document["data"]

    def id_of(self, collection: str, slug: str) -> int:
        return next(int(record["id"]) for record in self.ask("GET", collection) if record["slug"] == slug)

    def content(self) -> dict[str, list[Any]]:
        """Everything that readers see, without what the server assigns."""
        return {name: sorted(map(plain, self.ask("GET", name)), key=str) for name in COLLECTIONS}


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: plain(inner) for k, inner in value.items() if k not in OF_A_SERVER and not k.endswith("_url")}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Target, Target]]:
    """Two servers, each with a database of its own; their records have different ids."""
    with ExitStack() as stack:
        targets = []
        for name in ("staging", "production"):
            url = f"sqlite:///{tmp_path / name}.db"
            if name == "production":
                make_tenant(url, "another")
            directory, token = make_tenant(url, name)
            targets.append(Target(stack.enter_context(serving(url)), directory, token))
        yield targets[0], targets[1]


def test_edits_on_staging_are_promoted_to_production(servers: tuple[Target, Target], tmp_path: Path) -> None:
    staging, production = servers
    folder = tmp_path / "site"
    config = '[site]\nname = "Tools"\n[content.listings]\npull_to = "{category}.csv"\n'
    env = {}
    for name, target in (("staging", staging), ("production", production)):
        config += f'[targets.{name}]\nurl = "{target.server.address}"\ndirectory = {target.directory}\n'
        config += f'token_env = "{name.upper()}"\nrequests_per_minute = 60000\n'
        env[name.upper()] = target.token
    for path, text in {"contentsync.toml": config, **FILES}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")

    def command(*arguments: str) -> str:
        ran = contentsync(*arguments, cwd=folder, env=env)
        assert ran.code == 0, (arguments, ran.out, ran.err)
        return ran.out

    for name in ("staging", "production"):
        command("sync", "--target", name, "--yes", "--quiet")
    assert staging.content() == production.content()

    staging.ask("PUT", f"pages/{staging.id_of('pages', 'about')}", {"title": "About us", "slug": "about-us"})
    staging.ask("PUT", f"projects/{staging.id_of('projects', 'saw')}", {"description": 'For "wood", and more'})
    category = staging.ask("POST", "categories", {"title": "Clamps"})
    staging.ask("POST", "projects", {"name": "Vice", "categories": [category["id"]], "email": "v@example.com"})
    staging.ask("POST", "articles", {"title": "More", "markdown": "Text.", "published_at": "2026-04-01T00:00:00Z"})
    assert staging.content() != production.content()

    command("pull", "--target", "staging")
    assert (folder / "listings/clamps.csv").read_text(encoding="utf-8").startswith("name,slug,email,categories\n")
    assert "# who we are" in (folder / "pages/about.md").read_text(encoding="utf-8")
    plan = command("plan", "--target", "production")
    assert "1 address moves: page about → about-us" in plan
    command("sync", "--target", "production", "--yes", "--quiet")

    assert staging.content() == production.content()
    for name in ("staging", "production"):
        assert "nothing to do" in command("plan", "--target", name, "--detailed-exitcode")
    status, _ = production.server.ask("HEAD", "/sites/production/pages/about/")
    assert status == 301
