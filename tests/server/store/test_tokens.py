import hashlib
import math
from datetime import UTC, datetime, timedelta

import pytest

from contentsync.errors import UsageError
from contentsync.server.store import tokens
from contentsync.server.store.tokens import authenticate, is_well_formed, make_secret

from .conftest import Owned


def test_a_secret_is_random_and_contains_a_checksum() -> None:
    """AU-11."""
    secrets = {make_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(secret.startswith("cs_") and is_well_formed(secret) for secret in secrets)
    assert 32 * math.log2(62) > 160


@pytest.mark.parametrize("at", [3, 20, -1])
def test_one_wrong_letter_is_detected_without_the_database(at: int) -> None:
    secret = list(make_secret())
    secret[at] = "a" if secret[at] != "a" else "b"
    assert not is_well_formed("".join(secret))


@pytest.mark.parametrize("secret", ["", "cs_", "ghp_abc", "cs_" + "é" * 38, "cs_" + "a" * 10**6])
def test_a_malformed_token_is_not_authenticated(owned: Owned, secret: str) -> None:
    """AU-01."""
    assert owned.database.run_read(authenticate, secret, 1) == (None, None)


def test_only_a_hash_of_the_token_is_stored(owned: Owned) -> None:
    """docs/contract.md 13; AU-11."""
    _, secret = owned.database.run_write(tokens.create_token, user_id=1)
    rows = owned.database.run_read(lambda connection: connection.all("SELECT * FROM tokens"))
    assert hashlib.sha256(secret.encode()).hexdigest() in rows[0]
    assert secret not in str(rows)
    assert secret not in str(owned.database.run_read(tokens.list_tokens))


def test_a_token_is_valid_until_its_expiry(owned: Owned) -> None:
    """docs/contract.md 13; AU-02: a token is valid before its expiry, by the server's clock."""
    moment = datetime.now(UTC)
    _, past = owned.database.run_write(tokens.create_token, user_id=1, expires_at=moment)
    _, future = owned.database.run_write(tokens.create_token, user_id=1, expires_at=moment + timedelta(minutes=1))
    assert owned.database.run_read(authenticate, past, 1) == (None, None)
    assert None not in owned.database.run_read(authenticate, future, 1)


def test_a_revoked_token_keeps_its_first_revocation_time(owned: Owned) -> None:
    number, secret = owned.database.run_write(tokens.create_token, user_id=1)
    owned.database.run_write(tokens.revoke_token, number)
    first = owned.database.run_read(tokens.list_tokens)
    owned.database.run_write(tokens.revoke_token, number)
    assert owned.database.run_read(tokens.list_tokens) == first
    assert owned.database.run_read(authenticate, secret, 1) == (None, None)


def test_a_missing_token_cannot_be_revoked(owned: Owned) -> None:
    with pytest.raises(UsageError, match="no token 7"):
        owned.database.run_write(tokens.revoke_token, 7)


@pytest.mark.parametrize("scopes", [(), ("admin",), ("read", "all")])
def test_only_known_scopes_are_accepted(owned: Owned, scopes: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="is not a scope"):
        owned.database.run_write(tokens.create_token, user_id=1, scopes=scopes)


def test_the_principal_has_the_scopes_of_the_token(owned: Owned) -> None:
    """docs/contract.md 13."""
    _, secret = owned.database.run_write(tokens.create_token, user_id=1, directory_id=1, scopes=("read",))
    principal, _ = owned.database.run_read(authenticate, secret, 1)
    assert principal is not None
    assert (principal.email, principal.scopes, principal.directory_id) == ("ada@example.com", frozenset({"read"}), 1)


def test_a_new_token_has_a_name_and_no_last_use(owned: Owned) -> None:
    owned.database.run_write(tokens.create_token, user_id=1, name="CI, read only")
    [token] = owned.database.run_read(tokens.list_tokens)
    assert (token["name"], token["used_at"]) == ("CI, read only", None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("x" * 256, "at most 255 characters"), ("a\nb", r"U\+000A"), ("\x1b[31m", r"U\+001B"), ("\x9b", r"U\+009B")],
)
def test_the_name_of_a_token_is_short_and_on_one_line(owned: Owned, name: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        owned.database.run_write(tokens.create_token, user_id=1, name=name)


def test_a_token_use_is_recorded_at_most_once_an_hour(owned: Owned) -> None:
    number, _ = owned.database.run_write(tokens.create_token, user_id=1)
    owned.database.run_write(tokens.record_use, number)
    [first] = owned.database.run_read(tokens.list_tokens)
    owned.database.run_write(tokens.record_use, number)
    assert owned.database.run_read(tokens.list_tokens) == [first]
    assert first["used_at"] is not None
