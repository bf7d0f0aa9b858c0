"""Answers other than success, as exceptions; what is wrong with a body is the model's `Invalid`.

An `exists` check that finds something is no error: it answers its 400 itself.

ServiceError
├── Malformed          400   the body is no JSON
├── Unauthenticated    401   the token is missing, unknown, expired or revoked
├── Forbidden          403   not one's own directory or record, or the token lacks the scope
├── Missing            404   nothing there, or nothing that one may see
├── TooSlow            408   the body did not come in time
├── Changed            409   the record is not as the request says that it is
├── Taken              409   the request makes a new record only, and there is one
├── TooLarge           413   the body is over the limit
└── TooMany            429   over the rate limit
"""

from ..model import Kind


class ServiceError(Exception):
    """The root of the answers that a handler or the store raises."""

    status = 500
    headers: dict[str, str] = {}

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Malformed(ServiceError):
    """The body cannot be read as JSON."""

    status = 400


class Unauthenticated(ServiceError):
    """No valid token came with the request."""

    status = 401
    headers = {"WWW-Authenticate": "Bearer"}

    def __init__(self) -> None:
        super().__init__("Unauthenticated.")


class Forbidden(ServiceError):
    """The principal may not do this; a directory that does not exist answers alike."""

    status = 403

    def __init__(self, message: str = "You do not own this directory") -> None:
        super().__init__(message)


class Missing(ServiceError):
    """The directory holds no such record."""

    status = 404

    def __init__(self, kind: Kind) -> None:
        super().__init__(f"{label(kind)} not found")


class Changed(ServiceError):
    """`If-Match` names another state of the record than the present one."""

    status = 409

    def __init__(self) -> None:
        super().__init__("The record has changed since")


class Taken(ServiceError):
    """`If-None-Match: *` asks for a new record, and one has its key."""

    status = 409

    def __init__(self) -> None:
        super().__init__("A record with this key is there already")


class TooSlow(ServiceError):
    """The body did not come in time."""

    status = 408
    headers = {"Connection": "close"}

    def __init__(self) -> None:
        super().__init__("The request was not complete in time")


class TooLarge(ServiceError):
    """The body is over the size limit."""

    status = 413


class TooMany(ServiceError):
    """The rate limit is reached; in `retry_after` seconds there is room for one request."""

    status = 429

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too Many Attempts.")
        self.headers = {"Retry-After": str(retry_after)}


def label(kind: Kind) -> str:
    """The word for a record of the kind at the start of a message."""
    return kind.replace("_", " ").capitalize()
