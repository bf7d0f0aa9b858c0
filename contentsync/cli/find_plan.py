"""Make the plan of a folder, or recall the empty plan of an earlier command, which is fast."""

import asyncio
import os
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from ..content.config import read_config
from ..content.folder_signatures import STAMP_MARGIN
from ..content.load import Content
from ..errors import ContentsyncError
from ..remote import Remote
from ..report.plan_report import Destination
from ..sync import Plan
from ..sync.state.plan_cache import CachedPlan, digest_inputs, is_cacheable, read_cached_plan, write_cached_plan
from .choices import STATE_BASE
from .progress import show_warnings
from .session import PlanOptions, Session

SWITCH = "_CONTENTSYNC_WITHOUT_SHORTCUTS"  # for tests, which compare plans with and without shortcuts


def find_plan(
    folder: Path, options: PlanOptions, console: Console, margin: int = STAMP_MARGIN
) -> tuple[Plan, Destination]:
    """Return the plan of a folder and its target. Changes within `margin` nanoseconds may have the same stamp.

    Raise ContentError if the folder has errors, UsageError for an `--only` that matches no entry, and RemoteError.
    """
    cache = _CommandPlanCache.open(folder, options, console, margin)
    cached_plan = asyncio.run(cache.find_plan()) if cache else None
    if cache and cached_plan is not None:
        return cached_plan, cache.session.destination
    session = Session.open(folder, options, console)
    return asyncio.run(_make_plan(session, cache)), session.destination


async def _make_plan(session: Session, cache: "_CommandPlanCache | None") -> Plan:
    if cache:
        session = replace(session, confirmed=cache.session.confirmed)
    async with session.open_plan(must_match=True) as planned:
        if cache:
            cache.store(planned.plan, session.content, planned.remote)
        return planned.plan


@dataclass(frozen=True, slots=True)
class _CommandPlanCache:
    """The plan cache for the inputs of a command."""

    session: Session  # without entries: it must not make a plan
    inputs: str
    margin: int  # nanoseconds

    @classmethod
    def open(cls, folder: Path, options: PlanOptions, console: Console, margin: int) -> "_CommandPlanCache | None":
        """Return None if plans with these options are not cached, or if an error prevents any plan."""
        if options.only or options.base != STATE_BASE or os.environ.get(SWITCH):
            return None
        config, problems = read_config(folder)
        if any(problem.is_error for problem in problems):
            return None
        try:
            session = Session.from_content(Content(folder, (), 0, {}, config, ()), options, console)
            inputs = _digest_inputs(session)
        except ContentsyncError:  # Session.open raises it again
            return None
        return None if inputs is None or session.target.is_embedded else cls(session, inputs, margin)

    async def find_plan(self) -> Plan | None:
        """Return the cached plan if nothing has changed in the folder, in the state and on the server.

        Contact the server only if nothing else has changed. Raise RemoteError.
        """
        session = self.session
        cached = read_cached_plan(session.state_dir)
        if cached is None or cached.inputs != self.inputs or not cached.folder.is_current(session.content.folder):
            return None
        async with session.connect() as remote:
            if not await remote.has_version(cached.directory):
                return None
        show_warnings(session.console, replace(session.content, problems=cached.warnings), session.state_dir)
        return cached.plan

    def store(self, plan: Plan, content: Content, remote: Remote) -> None:
        """Cache a new plan of the folder if it is empty, and if nothing has changed since the command began."""
        directory = remote.fetched_version()
        if directory is None or not is_cacheable(plan) or _digest_inputs(self.session) != self.inputs:
            return
        folder = content.dependencies.version(content.folder, self.margin) if content.dependencies else None
        if folder is not None:
            write_cached_plan(
                self.session.state_dir, CachedPlan(plan, content.problems, self.inputs, folder, directory)
            )


def _digest_inputs(session: Session) -> str | None:
    return digest_inputs(session.target, session.policy, session.destination.secret, session.state_dir)
