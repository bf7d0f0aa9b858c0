"""The service as a client sees it: the only package that uses HTTP."""

from .http_client import Service
from .pacing import Pacer, pacing_file
from .record_reader import KnownLists
from .remote import AnswerCallback, ProgressCallback, Remote
from .retry import MAX_SILENCE, TimeLimits, WaitReports
from .wire import Ids, SocialNames, UnknownReference, ids_by_key, wire_body

__all__ = [
    "MAX_SILENCE",
    "AnswerCallback",
    "Ids",
    "KnownLists",
    "Pacer",
    "ProgressCallback",
    "Remote",
    "Service",
    "SocialNames",
    "TimeLimits",
    "UnknownReference",
    "WaitReports",
    "ids_by_key",
    "pacing_file",
    "wire_body",
]
