"""API tokens: secrets that are shown once and stored as hashes."""

import hashlib
import re
import secrets
import string
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

from ...errors import UsageError
from ...lazy_pattern import lazy_pattern
from ...model.scalar import instant_text
from ..access import SCOPES, Directory, Principal
from .accounts import directory_from, require_one_line, visible_to
from .caching import cached_until_commit
from .sql import Connection
from .tables import directories
from .versions import now

MAX_NAME = 255  # characters
USE_INTERVAL = timedelta(hours=1)  # between two writes of a token's last use: each write empties caches (decision 9)

# cs_, 32 random characters (190 bits), and the CRC-32 of both, by which scanners recognise a leaked token.
PREFIX = "cs_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM_LENGTH = 32  # characters
_CHECKSUM_LENGTH = 6  # characters
_SECRET = lazy_pattern(rf"{PREFIX}[0-9A-Za-z]{{{_RANDOM_LENGTH + _CHECKSUM_LENGTH}}}\Z", re.ASCII)

_UNREVOKED = f"""
SELECT users.id AS user_id, users.name AS user_name, users.email, tokens.id AS token_id, tokens.scopes,
    tokens.directory_id, tokens.expires_at, tokens.used_at,
    {", ".join(f"directories.{name}" for name in directories.columns)}
FROM tokens
JOIN users ON users.id = tokens.user_id
LEFT JOIN directories ON directories.id = :directory
    AND (tokens.directory_id IS NULL OR tokens.directory_id = directories.id) AND {visible_to("users.id")}
WHERE tokens.digest = :digest AND tokens.revoked_at IS NULL"""
_LIST = """
SELECT tokens.id, tokens.name, users.email AS "user", directories.slug AS directory, tokens.scopes, tokens.created_at,
    tokens.expires_at, tokens.revoked_at, tokens.used_at
FROM tokens
JOIN users ON users.id = tokens.user_id
LEFT JOIN directories ON directories.id = tokens.directory_id
ORDER BY tokens.id"""


def create_token(
    connection: Connection,
    *,
    user_id: int,
    directory_id: int | None = None,
    scopes: tuple[str, ...] = SCOPES,
    expires_at: datetime | None = None,
    name: str = "",
) -> tuple[int, str]:
    """Create a token; return its id and its secret, which is not stored.

    Without `directory_id`, the token is for all directories of the user. `expires_at` must have a UTC offset. Raise
    UsageError for an unknown scope, for no scope, and for a name that is too long or has control characters.
    """
    require_one_line("name", name)
    if len(name) > MAX_NAME:
        raise UsageError(f"a name has at most {MAX_NAME} characters", "choose a shorter name")
    for scope in scopes or ("",):  # no scope is an error too
        if scope not in SCOPES:
            raise UsageError(f"'{scope}' is not a scope", f"choose from {', '.join(SCOPES)}")
    secret = make_secret()
    row = {
        "user_id": user_id,
        "directory_id": directory_id,
        "digest": digest(secret),
        "scopes": ",".join(scope for scope in SCOPES if scope in scopes),
        "created_at": now(),
        "expires_at": None if expires_at is None else instant_text(expires_at),
        "name": name,
    }
    return connection.insert_returning_id("tokens", row), secret


def revoke_token(connection: Connection, token_id: int) -> None:
    """Revoke the token, unless it is revoked already; raise UsageError if no token has the id."""
    if connection.first("SELECT id FROM tokens WHERE id = :token", {"token": token_id}) is None:
        raise UsageError(f"there is no token {token_id}", "see: contentsync admin token list")
    revoke = "UPDATE tokens SET revoked_at = :now WHERE id = :token AND revoked_at IS NULL"
    connection.run(revoke, {"token": token_id, "now": now()})


def record_use(connection: Connection, token_id: int) -> None:
    """Set the time of the token's last use, unless another request has set it within the last hour."""
    record = "UPDATE tokens SET used_at = :now WHERE id = :token AND (used_at IS NULL OR used_at <= :hour_ago)"
    hour_ago = instant_text(datetime.now(UTC) - USE_INTERVAL)
    connection.run(record, {"token": token_id, "now": now(), "hour_ago": hour_ago})


def list_tokens(connection: Connection) -> list[dict[str, Any]]:
    """Return id, name, user (e-mail), directory (slug), scopes and the times of every token.

    The times are created_at, expires_at, revoked_at, and used_at, which may be an hour older than the last use.

    The directory is None if the token is for all directories of the user.
    """
    return [{**row._asdict(), "scopes": row.scopes.split(",")} for row in connection.all(_LIST)]


def authenticate(connection: Connection, secret: str, directory_id: int) -> tuple[Principal | None, Directory | None]:
    """Return the principal (None: the token is not valid now) and the directory (None: they may not see it)."""
    if not is_well_formed(secret):
        return None, None
    principal, directory, expires_at = _find_token(connection, digest(secret), directory_id)
    if expires_at is not None and expires_at <= now():
        return None, None
    return principal, directory


@cached_until_commit
def _find_token(
    connection: Connection, digest: str, directory_id: int
) -> tuple[Principal | None, Directory | None, str | None]:
    """Return the principal, the directory, and the expiry, which the caller must check; three None for no token.

    The directory is None if the principal may not see it; the expiry is None if the token does not expire.
    """
    row = connection.first(_UNREVOKED, {"digest": digest, "directory": directory_id})
    if row is None:
        return None, None, None
    scopes = frozenset(row.scopes.split(","))
    principal = Principal(row.user_id, row.user_name, row.email, scopes, row.directory_id, row.token_id, row.used_at)
    may_see_directory = row.id is not None  # `id` is that of the requested directory, which is joined only then
    directory = directory_from(row) if may_see_directory else None
    return principal, directory, row.expires_at


def make_secret() -> str:
    """Return a new random secret with its checksum."""
    body = PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_LENGTH))
    return body + _checksum(body)


def is_well_formed(secret: str) -> bool:
    """Return whether the text has the form of a token and the right checksum."""
    body, checksum = secret[:-_CHECKSUM_LENGTH], secret[-_CHECKSUM_LENGTH:]
    return bool(_SECRET.match(secret)) and secrets.compare_digest(checksum, _checksum(body))


def digest(secret: str) -> str:
    """Return the SHA-256 in hex that is stored instead of the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    """Return the CRC-32 of a text as a number in base 62, with leading zeros."""
    number = zlib.crc32(body.encode())
    digits = ""
    for _ in range(_CHECKSUM_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits
