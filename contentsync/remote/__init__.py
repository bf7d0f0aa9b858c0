"""The service seen from outside: the only place that speaks HTTP."""

from .remote import BULK_SIZE, Created, Heard, Remote
from .service import Service
from .wire import Ids, UnknownReference, body_of, index

__all__ = ["BULK_SIZE", "Created", "Heard", "Ids", "Remote", "Service", "UnknownReference", "body_of", "index"]
