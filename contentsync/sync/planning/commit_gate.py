"""What a plan from the base of a commit must pass besides: records of an unknown base, and consents of later commits.

docs/decisions/0030-consent-in-a-commit.md
"""

from collections.abc import Sequence
from dataclasses import replace

from .consents import BY_TRAILER, CommitConsents, Consents, Trailer, UsedConsent, trailer_line
from .gates import unknown_base_gate
from .plan import Plan, Policy, Refusal, UnreadFile


def check_commit_base(
    plan: Plan, unread: Sequence[UnreadFile], trailers: Sequence[Trailer] | None, policy: Policy
) -> Plan:
    """Return the plan without the refusals that `trailers`, of the commits since the base, consent to.

    Without a base (None), no trailer counts. Add the refusal for records that may be entries of the `unread` files.
    """
    plan = replace(plan, unread=tuple(unread))
    plan = replace(plan, refusals=(*plan.refusals, *unknown_base_gate(plan, policy)))
    return plan if trailers is None else _apply_trailers(plan, trailers, policy.allowed)


def _apply_trailers(plan: Plan, trailers: Sequence[Trailer], options: Consents) -> Plan:
    """Return the plan without the refusals that one of the trailers consents to; an option wins over every trailer."""
    refusals: list[Refusal] = []
    used: dict[str, UsedConsent] = {}
    missing: dict[str, int] = {}
    for refusal in plan.refusals:
        consent = refusal.consent
        if isinstance(consent, str) or consent.name not in BY_TRAILER or getattr(options, consent.name) is not None:
            refusals.append(refusal)
            continue
        name, number = consent
        # The largest of one commit, never the sum of several.
        largest = max(
            (each for each in trailers if name in each.allowed), key=lambda each: each.allowed[name], default=None
        )
        if largest and number <= largest.allowed[name]:
            used[name] = UsedConsent(name, number, largest)
            continue
        missing[name] = number
        if largest:
            only = f"commit {largest.commit[:12]} allows only {name}={largest.allowed[name]}"
            refusal = refusal._replace(message=f"{refusal.message}; {only}")
        refusals.append(refusal)
    faulty = tuple(each for each in trailers if each.fault)
    consents = CommitConsents(tuple(used.values()), faulty, trailer_line(missing))
    return replace(plan, refusals=tuple(refusals), commit_consents=consents)
