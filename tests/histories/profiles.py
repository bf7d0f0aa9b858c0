"""The profiles of random histories, which `python -m tests.histories` plays."""

from collections.abc import Mapping

from .engine import Profile
from .failures import failures
from .ordinary import ordinary
from .plans import PLANS
from .renames import renames
from .undos import undos

PROFILES: Mapping[str, Profile] = {
    "failures": failures(),
    "failures-of-two-writers": failures(second_writer=True),
    "ordinary": ordinary(),
    "plans": PLANS,
    "renames": renames(has_ids=True),
    "renames-without-ids": renames(has_ids=False),
    "undos": undos("keep"),
    "undos-of-overwritten-edits": undos("overwrite"),
}
