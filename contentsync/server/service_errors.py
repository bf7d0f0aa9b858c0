"""Exceptions for error responses. The model's `Invalid` is the exception for a body that violates rules.

The `exists` operations return status 400 for an existing record without an exception.

ServiceError
├── MalformedBody      400   the body is not JSON
├── Unauthenticated    401   the token is missing, unknown, expired or revoked
├── Forbidden          403   another user's directory or record, or the token lacks the scope
├── RecordNotFound     404   no such record in the directory
├── BodyTimeout        408   the body did not arrive in time
├── RecordChanged      409   the record is not in the state that `If-Match` names
├── KeyTaken           409   `If-None-Match: *`, and a record has the key
├── BodyTooLarge       413   the body is over the limit
├── RateLimited        429   over the rate limit
└── Overloaded         503   too many long reads of the directory wait
"""

from ..model import Kind


class ServiceError(Exception):
    """The base class of the errors that endpoints and the store raise."""

    status = 500
    message = ""
    headers: dict[str, str] = {}

    def __init__(self, message: str = "") -> None:
        self.message = message or self.message
        super().__init__(self.message)


class MalformedBody(ServiceError):
    """The body of the request is not JSON."""

    status = 400


class Unauthenticated(ServiceError):
    """The request has no valid token."""

    status = 401
    message = "Unauthenticated."
    headers = {"WWW-Authenticate": "Bearer"}


class Forbidden(ServiceError):
    """The principal may not make this request. A directory that does not exist gets the same response."""

    status = 403
    message = "You do not own this directory"


class RecordNotFound(ServiceError):
    """The directory has no such record."""

    status = 404

    def __init__(self, kind: Kind) -> None:
        super().__init__(f"{kind_label(kind)} not found")


class BodyTimeout(ServiceError):
    """The body of the request did not arrive in time."""

    status = 408
    message = "The request was not complete in time"
    headers = {"Connection": "close"}


class RecordChanged(ServiceError):
    """`If-Match` does not have the current ETag of the record."""

    status = 409
    message = "The record has changed since"


class KeyTaken(ServiceError):
    """A create with `If-None-Match: *` found an existing record with the same key."""

    status = 409
    message = "A record with this key is there already"


class BodyTooLarge(ServiceError):
    """The body of the request is larger than the limit."""

    status = 413


class RateLimited(ServiceError):
    """The request exceeds the rate limit. The next request is allowed after `retry_after` seconds."""

    status = 429
    message = "Too Many Attempts."

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        self.headers = {"Retry-After": str(retry_after)}


class Overloaded(ServiceError):
    """Too many long reads of the directory wait, or this one has waited too long. Retry after `retry_after` seconds."""

    status = 503
    message = "Too many requests of this kind are waiting"

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        self.headers = {"Retry-After": str(retry_after)}


def kind_label(kind: Kind) -> str:
    """Return the name of the kind for the start of a message, such as `Custom field`."""
    return kind.replace("_", " ").capitalize()
