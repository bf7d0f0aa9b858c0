"""The service as a client sees it: the only package that uses HTTP."""

from .http_client import Service
from .pacing import Pacer, pacing_file
from .record_reader import PAGINATED, PER_PAGE
from .remote import ProgressCallback, Remote, with_referred_kinds
from .retry import SILENCE, WaitCallback
from .wire import BULK_SIZE, Created, Ids, UnknownReference, body_of, ids_by_key

__all__ = [
    "BULK_SIZE",
    "PAGINATED",
    "PER_PAGE",
    "SILENCE",
    "Created",
    "Ids",
    "Pacer",
    "ProgressCallback",
    "Remote",
    "Service",
    "UnknownReference",
    "WaitCallback",
    "body_of",
    "ids_by_key",
    "pacing_file",
    "with_referred_kinds",
]
