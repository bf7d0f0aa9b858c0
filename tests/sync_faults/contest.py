"""Runs that are answered wrongly while others edit the server, and what must hold after each of them.

1. Records and edits of others that only the server has are neither overwritten nor deleted.
2. Nothing is lost, doubled, or deleted and created again.
3. A run that reports success has done everything that it could know of.
4. Once the server answers rightly, two more runs at most leave an empty plan, and the server as the folder says.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from contentsync.remote.http_client import Service
from contentsync.sync.comparing.change import Status
from contentsync.sync.planning.plan import OnDrift, Policy

from . import wire
from .judge import key_of_change
from .others import REFERRED, Others
from .proxy import passed_on
from .records import Key, Records
from .run import Outcome, over, run
from .stage import Stage
from .workspace import Checkout, Workspace
from .wrong_answers import Meeting, WrongAnswer

POLICIES: tuple[OnDrift, ...] = ("overwrite", "keep", "fail")
CONSENT = replace(wire.POLICY, on_conflict="ours", adopt=True)
SHOWN = 5  # entries that a message names
MORE_RUNS = 2  # that may be needed once the server answers rightly


def policy_of(on_drift: OnDrift) -> Policy:
    """Return the policy of the runs that are judged."""
    return replace(wire.POLICY, on_drift=on_drift)


def consenting(workspace: Checkout, stage: Stage) -> None:
    """Sync with every consent; this must succeed."""
    outcome = _sync(workspace, stage, CONSENT)
    assert wire.all_done(outcome), outcome


@dataclass(frozen=True)
class Undisturbed:
    """A run that is answered rightly: its requests, the server's records after it, and whether it refused."""

    requests: list[tuple[str, str]]
    records: Records
    refused: bool


class Contest:
    """A workspace in which others have edited, and the runs that begin there."""

    def __init__(self, workspace: Workspace, stage: Stage, others: Others) -> None:
        self.workspace = workspace
        self._stage = stage
        self._others = others
        self._undisturbed: dict[OnDrift, Undisturbed] = {}

    def undisturbed(self, on_drift: OnDrift) -> Undisturbed:
        """Return what a run does that is answered rightly."""
        if on_drift not in self._undisturbed:
            self.workspace.reset()
            self._stage.run(self._stage.proxy.arm(passed_on, 0, forever=False))
            outcome = _sync(self.workspace, self._stage, policy_of(on_drift))
            assert outcome.refusals or wire.all_done(outcome), outcome
            requests = self._stage.proxy.requests
            found = Undisturbed(requests, self.workspace.records(), bool(outcome.refusals))
            self._undisturbed[on_drift] = found
        return self._undisturbed[on_drift]

    def meet(self, answer: WrongAnswer, number: int, on_drift: OnDrift, *, forever: bool) -> Iterator[str]:
        """Yield what is wrong after a run that is answered wrongly from a request on, and after the next runs."""
        undisturbed, kept = self.undisturbed(on_drift), self.undisturbed("keep").records
        judge = _Judge(self._others, self._before, self._agreed, undisturbed.records, kept)
        self.workspace.reset()
        stage = self._stage
        stage.run(stage.proxy.arm(Meeting(answer, number, forever=forever), 1, forever=True))
        began = time.monotonic()
        outcome = _sync(self.workspace, stage, policy_of(on_drift))
        taken, requests = time.monotonic() - began, len(stage.proxy.requests)
        stage.run(stage.proxy.disarm())

        after = self.workspace.records()
        found = {key_of_change(result.change) for result in outcome.results if result.already_existed}
        yield from judge.disturbed(after, found)
        yield from judge.reported(after, outcome)
        if taken > wire.SECONDS or requests > wire.REQUESTS:
            yield f"slow: the run took {taken:.0f} s and {requests} requests"
        yield from self._recovered(judge, on_drift, found, refused=undisturbed.refused)

    def _recovered(self, judge: "_Judge", on_drift: OnDrift, found: Collection[Key], *, refused: bool) -> Iterator[str]:
        policy = policy_of(on_drift)
        if refused:  # because of what others did: the author looks at it, and consents
            for _ in range(MORE_RUNS):
                again = _sync(self.workspace, self._stage, policy)
            if not again.refusals and again.plan:
                yield f"overwritten: what others edited is no longer refused: {wire.described(again)}"
            yield from judge.disturbed(self.workspace.records(), found)
            policy = CONSENT
        for _ in range(MORE_RUNS):
            again = _sync(self.workspace, self._stage, policy)
        last = _sync(self.workspace, self._stage, policy, dry=True)
        if last.plan is None or last.plan or last.refusals:
            yield f"not recovered: the plan after {MORE_RUNS} more runs: {wire.described(last)} {_changes(last)}"
            yield f"not recovered: the last of these runs: {wire.described(again)}"
        yield from judge.converged(self.workspace.records(), judge.agreed if refused else judge.wanted)

    @property
    def _before(self) -> Records:
        return self.workspace.judge.before

    @property
    def _agreed(self) -> Records:
        return self.workspace.judge.wanted


@dataclass(frozen=True)
class _Judge:
    """The records before the run, after one with every consent, and after two that are answered rightly."""

    others: Others
    before: Records
    agreed: Records
    wanted: Records  # under the `on_drift` of the run
    kept: Records  # under `keep`: a run that cannot see an edit may also leave it

    def disturbed(self, after: Records, found: Collection[Key] = ()) -> Iterator[str]:
        """Yield what is wrong after a run that may have ended anywhere.

        `found` are the entries that the run meant to create, and reports that others had made them by then.
        """
        for key in self.before.keys() | self.agreed.keys() | after.keys():
            concerned = key in self.others.concerned
            after_run = [self.wanted, self.kept] if concerned else [self.agreed]
            allowed = [_content(records, key) for records in (self.before, *after_run)]
            if _content(after, key) not in allowed:
                upserted = key in found and key in self.others.makes and allowed[0] is not None
                word = "upserted, which is reported" if upserted else "overwritten" if concerned else "wrong"
                how = _difference(after, key, allowed)
                yield f"{word}: {_named(key)} is neither as it was nor as it should be: {how}"
        yield from self._identities(after)

    def reported(self, after: Records, outcome: Outcome) -> Iterator[str]:
        """Yield what a run has reported wrongly."""
        if wire.all_done(outcome):
            for key in (self.agreed.keys() | after.keys()) - self.others.concerned:
                if _content(after, key) != _content(self.agreed, key):
                    how = _difference(after, key, [_content(self.agreed, key)])
                    yield f"unreported: the run reports success, but {_named(key)} is not as it should be: {how}"
        elif not outcome.results and not _same(after, self.before):
            yield "unreported: no result is reported, and something was written"
        for result in outcome.results:
            key = key_of_change(result.change)
            wanted = [_content(records, key) for records in (self.agreed, self.wanted, self.kept)]
            if result.status is Status.DONE and _content(after, key) not in wanted:
                how = _difference(after, key, wanted)
                yield f"unreported: {result.change.action} {_named(key)} is reported as done, but it is not: {how}"

    def converged(self, after: Records, wanted: Records) -> Iterator[str]:
        """Yield what is wrong after the last run."""
        keys = sorted(wanted.keys() | after.keys())
        differing = [
            f"{_named(key)} {_difference(after, key, [_content(wanted, key)])}"
            for key in keys
            if _content(after, key) != _content(wanted, key)
        ]
        if differing:
            yield f"not recovered: in the end {len(differing)} entries are wrong: {'; '.join(differing[:SHOWN])}"
        yield from self._identities(after)

    def _identities(self, after: Records) -> Iterator[str]:
        for key in after.keys() & (self.before.keys() | self.agreed.keys()):
            ids = {records[key].id for records in (self.before, self.agreed) if key in records}
            if ids & self._known[key[0]] and after[key].id not in ids:
                yield f"doubled: {_named(key)} was created again: its id is {after[key].id}, not {min(ids)}"

    @cached_property
    def _known(self) -> Mapping[str, set[int]]:
        return {kind: {self.before[key].id for key in self.before if key[0] is kind} for kind, _ in self.agreed}


def _sync(workspace: Checkout, stage: Stage, policy: Policy, *, dry: bool = False) -> Outcome:
    def service() -> Service:
        return wire.client(workspace, stage)

    return run(workspace.folder, over(service), policy, dry=dry)


def _content(records: Records, key: Key) -> Mapping[str, Any] | None:
    """Return the fields of a record; what refers to a renamed entry is the same before and after."""
    if key not in records:
        return None
    content = dict(records[key].content)
    for name in ("category", "tag"):
        if isinstance(content.get(name), list):
            content[name] = sorted(REFERRED.get(other, other) for other in content[name])
    return content


def _difference(records: Records, key: Key, others: Sequence[object]) -> str:
    """Return in what a record differs from each of the other contents, in a few words."""
    content = _content(records, key)
    return " and ".join(dict.fromkeys(_differing(content, other) for other in others))


def _differing(content: object, other: object) -> str:
    if not isinstance(content, Mapping):
        return "missing"
    if not isinstance(other, Mapping):
        return "too much"
    pairs = {name: (value, other.get(name)) for name, value in content.items() if value != other.get(name)}
    return "; ".join(
        f"{name}: {_differing(value, wanted)}" if isinstance(value, Mapping) else f"{name} {value!r}, not {wanted!r}"
        for name, (value, wanted) in pairs.items()
    )


def _same(one: Records, other: Records) -> bool:
    return one.keys() == other.keys() and all(_content(one, key) == _content(other, key) for key in one)


def _named(key: Key) -> str:
    return f"{key[0]} {key[1]}"


def _changes(outcome: Outcome) -> list[str]:
    return [f"{change.action} {change.kind} {change.key}" for change in (outcome.plan.changes if outcome.plan else ())]
