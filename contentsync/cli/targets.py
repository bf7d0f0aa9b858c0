"""Which server a command talks to, and the way there."""

import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..content.config import Config, Site, Target
from ..content.config_file import CONFIG
from ..content.folder import Content
from ..content.own_folder import hide_from_git
from ..errors import Denied, Refused, UsageError
from ..git import NOTHING
from ..model import did_you_mean
from ..model.url import url_fault
from ..remote import Pacer, Remote, Service, Waiting, pacing_file
from ..sync.state.state_dir import StateDir, directory_of

if TYPE_CHECKING:
    from ..server.embedded import Embedded

_DIRECTORY = re.compile(r"[1-9][0-9]{0,8}\Z")

EMBEDDED = Target(name="local", url="embedded:.contentsync/site.db")
ENVIRONMENT = "environment"  # the name of the target that CONTENTSYNC_URL makes


def choose(targets: Mapping[str, Target], default: str | None, name: str | None, environ: Mapping[str, str]) -> Target:
    """The target that `--target`, the environment or the config names; the embedded one where there is none.

    `CONTENTSYNC_URL` stands in for a missing target, and for an embedded one that nobody asked for by name, but never
    redirects another: raises Refused when the target is not at that server, so that a pull request can neither send
    the token elsewhere nor have nothing synced (docs/content.md). The target that it makes is called `environment`,
    also by a saved plan. Raises UsageError for names that the config does not have.
    """
    wanted = name or environ.get("CONTENTSYNC_TARGET")
    url = _url(environ)
    if wanted == ENVIRONMENT and ENVIRONMENT not in targets:
        if not url:
            raise UsageError(
                f"there is no target '{ENVIRONMENT}'", "CONTENTSYNC_URL makes one of that name, and is not set"
            )
        wanted = None
    target = _named(targets, wanted or default)
    if url and target.embedded and not wanted:
        target = target.model_copy(update={"name": ENVIRONMENT, "url": url})
    elif url and _origin(url) != _origin(target.url):
        raise Refused(
            f"CONTENTSYNC_URL is {url}, but the target '{target.name}' is {target.url}",
            "one of the two is not the server that the token belongs to: make them agree",
        )
    directory = environ.get("CONTENTSYNC_DIRECTORY")
    if directory and not target.embedded:
        if not _DIRECTORY.match(directory):
            raise UsageError("CONTENTSYNC_DIRECTORY is not the number of a directory")
        target = target.model_copy(update={"directory": int(directory)})
    return target


def require_synced(target: Target, past: Config, ref: str, environ: Mapping[str, str]) -> None:
    """Raises Refused unless the config of a commit had the same directory for the target: only there was it synced."""
    if not is_synced(target, past, environ):
        then = _then(target, past, environ)
        raise Refused(
            f"{ref} was synced elsewhere: the target '{target.name}' is {address(target)} now, and its "
            f"{CONFIG} says {address(then) if then else 'another server, or none'}",
            f"give the new directory a target of its own, and --base git:{NOTHING} the first time: nothing is deleted",
        )


def is_synced(target: Target, past: Config, environ: Mapping[str, str]) -> bool:
    """Whether the config of a commit had the same directory for the target."""
    then = _then(target, past, environ)
    return then is not None and directory_of(then) == directory_of(target)


def _then(target: Target, past: Config, environ: Mapping[str, str]) -> Target | None:
    """The target by the config of a commit; None where that is another server than the environment's, or unclear."""
    name = target.name if target.name in past.targets else None
    try:
        return choose(past.targets, past.default_target, name, environ)
    except (Refused, UsageError):
        return None


def _url(environ: Mapping[str, str]) -> str | None:
    url = environ.get("CONTENTSYNC_URL")
    wrong = url_fault(url) if url else None
    if wrong:  # not repeated: it may hold a password
        raise UsageError(f"CONTENTSYNC_URL {wrong}")
    return url


def address(target: Target) -> str:
    """Where the target is, for people."""
    return target.url if target.embedded else f"{target.url} directory {target.directory}"


def pacer_for(target: Target) -> Pacer | None:
    """Return what keeps requests to a target below its limit; None for one without a limit, or without a directory."""
    if target.embedded or target.directory is None:
        return None
    return Pacer(target.requests_per_minute, pacing_file(target.url, target.directory))


@asynccontextmanager
async def connect(
    target: Target,
    content: Content,
    environ: Mapping[str, str] = os.environ,
    *,
    place: StateDir | None = None,
    pacer: Pacer | None = None,
    waiting: Waiting = lambda seconds: None,
    paced: Callable[[], None] = lambda: None,
    overdue: Waiting = lambda seconds: None,
) -> AsyncIterator[Remote]:
    """The target's directory; for an embedded one the server itself, in process, its directory made on first use.

    What a server last had is remembered in the `place`. `pacer`, `waiting`, `paced` and `overdue` are Service's.
    Raises Denied without a token, and UsageError without a directory.
    """
    if target.embedded:
        async with _embedded(content.folder / target.url.removeprefix("embedded:"), content) as remote:
            yield remote
        return
    if target.directory is None:
        raise UsageError(
            f"the target '{target.name}' has no directory",
            "set its number in contentsync.toml or CONTENTSYNC_DIRECTORY",
        )
    token = environ.get(target.token_env)
    if not token:
        raise Denied(
            f"there is no token for {target.url}", f"put it into the environment variable that {_variable(target)}"
        )
    async with Service(
        target.url, token.strip(), pacer=pacer, waiting=waiting, paced=paced, overdue=overdue
    ) as service:
        cache = None if place is None else place.cache
        if cache is not None:
            hide_from_git(cache)
        yield Remote(service, target.directory, social_names=target.social_card_names, cache=cache)


@asynccontextmanager
async def _embedded(path: Path, content: Content) -> AsyncIterator[Remote]:
    # Imported here: towards a remote target no command needs the server.
    from ..server.embedded import open_embedded

    hide_from_git(path)
    async with within(open_embedded(path, **settings_of(content.config.site))) as remote:
        yield remote


@asynccontextmanager
async def within(embedded: "Embedded") -> AsyncIterator[Remote]:
    """The directory of a server in this process, which is closed at the end."""
    import httpx

    try:
        async with Service(
            "http://embedded", transport=httpx.ASGITransport(app=embedded.app, raise_app_exceptions=False)
        ) as service:
            yield Remote(service, embedded.directory_id)
    finally:
        embedded.close()


def settings_of(site: Site) -> dict[str, Any]:
    """What an embedded directory takes from the site's settings."""
    return {
        "name": site.name,
        "locales": site.locales,
        "expired": site.expired,
        "organizers_enabled": site.organizers.enabled,
        "organizers_prefix": site.organizers.prefix,
        "organizers_label": site.organizers.label,
    }


def _variable(target: Target) -> str:
    # Only the default is named: somebody may have written the token itself where its variable belongs.
    default = Target.model_fields["token_env"].default
    return f"is called {default}" if target.token_env == default else f"token_env of '{target.name}' names"


def _named(targets: Mapping[str, Target], name: str | None) -> Target:
    if name is not None:
        if name in targets:
            return targets[name]
        if not targets and name == EMBEDDED.name:
            return EMBEDDED
        known = f"the config has {', '.join(targets) or f'none, so that there is only {EMBEDDED.name}'}"
        raise UsageError(f"there is no target '{name}'", did_you_mean(name, targets) or known)
    if not targets:
        return EMBEDDED
    if len(targets) == 1:
        return next(iter(targets.values()))
    raise UsageError(
        "the config has several targets and no default_target", f"choose one with --target: {', '.join(targets)}"
    )


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())
