"""The service seen from outside: the only place that speaks HTTP."""

from .bulk import BULK_SIZE, Created
from .pacing import Pacer, pacing_file
from .records import PAGINATED, PER_PAGE
from .remote import Heard, Remote, with_referred
from .service import Service
from .silence import SILENCE, Waiting
from .wire import Ids, UnknownReference, body_of, index

__all__ = [
    "BULK_SIZE",
    "PAGINATED",
    "PER_PAGE",
    "SILENCE",
    "Created",
    "Heard",
    "Ids",
    "Pacer",
    "Remote",
    "Service",
    "UnknownReference",
    "Waiting",
    "body_of",
    "index",
    "pacing_file",
    "with_referred",
]
