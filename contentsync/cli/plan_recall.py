"""Recall the empty plan of an earlier command, which makes `plan` fast while nothing has changed."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from ..content.config import read_config
from ..content.load import Content
from ..errors import ContentsyncError
from ..remote import Remote
from ..sync import Plan
from ..sync.state.plan_cache import CachedPlan, digest_inputs, is_cacheable, read_cached_plan, write_cached_plan
from .choices import STATE
from .progress import show_warnings
from .session import PlanOptions, Session

_SWITCH = "CONTENTSYNC_WITHOUT_SHORTCUTS"  # for tests, which compare plans with and without shortcuts


@dataclass(frozen=True, slots=True)
class PlanRecall:
    """The cached plan of a command, and the inputs for which it is right."""

    session: Session  # without entries: it must not make a plan
    inputs: str

    @classmethod
    def open(cls, folder: Path, options: PlanOptions, console: Console) -> "PlanRecall | None":
        """Return None if plans with these options are not cached, or if an error prevents any plan."""
        if options.only or options.base != STATE or os.environ.get(_SWITCH):
            return None
        config, problems = read_config(folder)
        if any(problem.is_error for problem in problems):
            return None
        try:
            session = Session.of(Content(folder, (), 0, {}, config, ()), options, console)
            inputs = _digest_inputs(session)
        except ContentsyncError:  # Session.open raises it again
            return None
        return None if inputs is None or session.target.embedded else cls(session, inputs)

    async def plan(self) -> Plan | None:
        """Return the cached plan if nothing has changed in the folder, in the state and on the server.

        Contact the server only if nothing else has changed. Raise RemoteError.
        """
        session = self.session
        cached = read_cached_plan(session.place)
        if cached is None or cached.inputs != self.inputs or not cached.folder.is_current(session.content.folder):
            return None
        async with session.connect() as remote:
            if not await remote.has_version(cached.directory):
                return None
        show_warnings(session.console, replace(session.content, problems=cached.warnings), session.place)
        return cached.plan

    def store(self, plan: Plan, content: Content, remote: Remote) -> None:
        """Cache a new plan of the folder if it is empty, and if nothing has changed since the command began."""
        directory = remote.fetched_version()
        if directory is None or not is_cacheable(plan) or _digest_inputs(self.session) != self.inputs:
            return
        folder = content.dependencies.version(content.folder) if content.dependencies else None
        if folder is not None:
            write_cached_plan(self.session.place, CachedPlan(plan, content.problems, self.inputs, folder, directory))


def _digest_inputs(session: Session) -> str | None:
    return digest_inputs(session.target, session.policy, session.destination.secret, session.place)
