"""Who may do what: the table that every operation of the document has a row in (docs/contract.md 11, 13)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from contentsync.server.access import READ, WRITE


class Rule(Enum):
    """The users who may use an operation."""

    OPEN = "everybody"
    SELF = "every user, for what is theirs"
    READER = "owner and submitters"
    OWNER = "the owner"
    AUTHOR = "the owner, and a submitter for what is the submitter's own"


class Place(Enum):
    """The owner of the directory or record that a request names."""

    OWN = "own"
    SUBMITTED = "made by the submitter"  # a record of the own directory
    FOREIGN = "foreign"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Caller:
    """The rights of a token."""

    valid: bool = True
    scopes: tuple[str, ...] = (READ, WRITE)
    opens: bool = True  # the own directory
    owns: bool = True


NOBODY = Caller(valid=False)
STRANGER = Caller(opens=False)

CALLERS: Mapping[str, Caller] = {
    "none": NOBODY,
    "malformed": NOBODY,
    "unknown": NOBODY,
    "expired": NOBODY,
    "revoked": NOBODY,
    "read only": Caller(scopes=(READ,)),
    "write only": Caller(scopes=(WRITE,)),
    "bound to this directory": Caller(),
    "bound to another": STRANGER,
    "owner of another directory": STRANGER,
    "submitter here": Caller(owns=False),
    "submitter elsewhere": STRANGER,
    "owner": Caller(),
}

ROWS: Mapping[str, tuple[str, Rule]] = {
    "get_openapi": ("", Rule.OPEN),
    "get_health": ("", Rule.OPEN),
    "get_readiness": ("", Rule.OPEN),
    "get_user": (READ, Rule.SELF),
    "list_directories": (READ, Rule.SELF),
    "get_directory": (READ, Rule.READER),
    "list_categories": (READ, Rule.READER),
    "create_category": (WRITE, Rule.OWNER),
    "get_category": (READ, Rule.READER),
    "update_category": (WRITE, Rule.OWNER),
    "delete_category": (WRITE, Rule.OWNER),
    "list_tags": (READ, Rule.READER),
    "create_tag": (WRITE, Rule.OWNER),
    "get_tag": (READ, Rule.READER),
    "update_tag": (WRITE, Rule.OWNER),
    "delete_tag": (WRITE, Rule.OWNER),
    "list_custom_fields": (READ, Rule.READER),
    "create_custom_field": (WRITE, Rule.OWNER),
    "get_custom_field": (READ, Rule.READER),
    "update_custom_field": (WRITE, Rule.OWNER),
    "delete_custom_field": (WRITE, Rule.OWNER),
    "list_organizers": (READ, Rule.READER),
    "create_organizer": (WRITE, Rule.AUTHOR),
    "get_organizer": (READ, Rule.READER),
    "update_organizer": (WRITE, Rule.AUTHOR),
    "delete_organizer": (WRITE, Rule.OWNER),
    "list_listings": (READ, Rule.READER),
    "create_listing": (WRITE, Rule.AUTHOR),
    "create_listings": (WRITE, Rule.AUTHOR),
    "listing_exists": (READ, Rule.READER),
    "get_listing": (READ, Rule.READER),
    "update_listing": (WRITE, Rule.AUTHOR),
    "delete_listing": (WRITE, Rule.AUTHOR),
    "list_pages": (READ, Rule.READER),
    "create_page": (WRITE, Rule.OWNER),
    "get_page": (READ, Rule.READER),
    "update_page": (WRITE, Rule.OWNER),
    "toggle_page": (WRITE, Rule.OWNER),
    "delete_page": (WRITE, Rule.OWNER),
    "list_articles": (READ, Rule.READER),
    "list_articles_of_category": (READ, Rule.READER),
    "create_article": (WRITE, Rule.OWNER),
    "article_exists": (READ, Rule.READER),
    "get_article": (READ, Rule.READER),
    "update_article": (WRITE, Rule.OWNER),
    "toggle_article": (WRITE, Rule.OWNER),
    "delete_article": (WRITE, Rule.OWNER),
}


def refusal(name: str, caller: Caller, directory: Place | None, record: Place | None) -> int | None:
    """The status that the caller must get; None: the operation is allowed."""
    scope, rule = ROWS[name]
    if rule is Rule.OPEN:
        return None
    if not caller.valid:
        return 401
    if scope not in caller.scopes:
        return 403
    if directory is None:
        return None
    if directory is not Place.OWN or not caller.opens:
        return 403
    if record in (Place.FOREIGN, Place.MISSING):
        return 404
    if caller.owns or rule is Rule.READER:
        return None
    return None if rule is Rule.AUTHOR and record in (None, Place.SUBMITTED) else 403
