"""Exceptions for responses other than success. Violations of a body are the model's `Invalid`.

An `exists` check that finds a record returns its 400 itself.

ServiceError
├── MalformedBody      400   the body is not JSON
├── Unauthenticated    401   the token is missing, unknown, expired or revoked
├── Forbidden          403   another user's directory or record, or the token lacks the scope
├── RecordNotFound     404   no such record in the directory
├── BodyTimeout        408   the body did not arrive in time
├── RecordChanged      409   the record is not in the state that `If-Match` names
├── KeyTaken           409   `If-None-Match: *`, and a record has the key
├── BodyTooLarge       413   the body is over the limit
└── RateLimited        429   over the rate limit
"""

from ..model import Kind


class ServiceError(Exception):
    """The root of the errors that handlers and the store raise."""

    status = 500
    message = ""
    headers: dict[str, str] = {}

    def __init__(self, message: str = "") -> None:
        self.message = message or self.message
        super().__init__(self.message)


class MalformedBody(ServiceError):
    """The body cannot be read as JSON."""

    status = 400


class Unauthenticated(ServiceError):
    """The request has no valid token."""

    status = 401
    message = "Unauthenticated."
    headers = {"WWW-Authenticate": "Bearer"}


class Forbidden(ServiceError):
    """The principal may not do this; a directory that does not exist gets the same response."""

    status = 403
    message = "You do not own this directory"


class RecordNotFound(ServiceError):
    """The directory has no such record."""

    status = 404

    def __init__(self, kind: Kind) -> None:
        super().__init__(f"{label(kind)} not found")


class BodyTimeout(ServiceError):
    """The body did not arrive in time."""

    status = 408
    message = "The request was not complete in time"
    headers = {"Connection": "close"}


class RecordChanged(ServiceError):
    """`If-Match` names another state of the record than the present one."""

    status = 409
    message = "The record has changed since"


class KeyTaken(ServiceError):
    """`If-None-Match: *` asks for a new record, and a record has its key."""

    status = 409
    message = "A record with this key is there already"


class BodyTooLarge(ServiceError):
    """The body is over the size limit."""

    status = 413


class RateLimited(ServiceError):
    """The rate limit is reached; one request is allowed again after `retry_after` seconds."""

    status = 429
    message = "Too Many Attempts."

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        self.headers = {"Retry-After": str(retry_after)}


def label(kind: Kind) -> str:
    """Return the word for a record of the kind at the start of a message."""
    return kind.replace("_", " ").capitalize()
