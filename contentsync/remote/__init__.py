"""The service as a client sees it: the only package that uses HTTP."""

from .http_client import Service
from .pacing import Pacer, pacing_file
from .remote import ProgressCallback, Remote, with_referred_kinds
from .retry import SILENCE, WaitCallback
from .wire import Created, Ids, SocialNames, UnknownReference, body_of, ids_by_key

__all__ = [
    "SILENCE",
    "Created",
    "Ids",
    "Pacer",
    "ProgressCallback",
    "Remote",
    "Service",
    "SocialNames",
    "UnknownReference",
    "WaitCallback",
    "body_of",
    "ids_by_key",
    "pacing_file",
    "with_referred_kinds",
]
