"""Hooks and checks that schemathesis uses besides the document. Its command line loads them.

Two of its checks are replaced by the same ones with exceptions, which stand in REASONS.
"""

import re
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, HookContext, Response
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from tests.contract.fuzzing.target import STANDING

AnyCase = Case[Any]

REFERENCES = {"category_id", "categories", "tags", "organizers", "parent_id"}

# A valid body may be refused only in these words, each by a rule that JSON Schema cannot say.
REASONS = {
    r"is already that of another": "unique in the directory",
    r"\d+ is no (category|tag|user) of this directory": "references lead to records",
    r"manages another organizer": "one organizer a user",
    r"must not be the category itself": "the tree has no cycles",
    r"no (slug|name) can be made of": "transliteration decides what is left of a title",
    r"must not be '\w+', a field of the service": "names of fields are taken",
    r"ends_at must not be before starts_at": "compares two fields, one of them perhaps stored",
    r"is required (when is_external|for the type)": "looks at two fields, one of them perhaps stored",
    r"fieldable_type cannot change": "values are stored",
    r"must be a whole number \(write -?\d+\)": "JSON Schema takes 1.0 for an integer",
    r"must be a valid URL": "ports, IPv6 addresses and international names have registries",
    r"must be a date": "29 February, and moments outside of the years 1 to 9999 once their offset is taken off",
    r"must be a JSON-LD object, or one written as text": "text that is JSON",
    r"nested deeper than|must contain at most \d+ values": "counts over all levels",
    r"^(listing|organizer|article)_(level|stars|checked) ": "another request has changed or deleted the custom field",
}
_ALLOWED = re.compile("|".join(REASONS))


@schemathesis.check
def valid_data_is_taken(ctx: CheckContext, response: Response, case: AnyCase) -> bool | None:
    """`positive_data_acceptance`, but for the rules of REASONS, and for the answer "it exists" of the two checks."""
    if response.status_code == 422:
        reported = [text for texts in response.json()["errors"].values() for text in texts]
        if all(_ALLOWED.search(text) for text in reported):
            return None
    if response.status_code == 400 and case.path.endswith("/exists") and "already exists" in response.text:
        return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def invalid_data_is_refused(ctx: CheckContext, response: Response, case: AnyCase) -> bool | None:
    """`negative_data_rejection`; a bulk create refuses item by item."""
    if case.path.endswith("/bulk") and response.status_code == 200 and response.json()["total_errors"]:
        return None
    return negative_data_rejection(ctx, response, case)


@schemathesis.hook
def before_call(context: HookContext, case: AnyCase, **_: Any) -> None:
    """Let records refer to some that are there; and a custom field that is required would have all others refused."""
    body: Any = case.body
    if not isinstance(body, dict):
        return
    if "custom-fields" in case.path and body.get("is_required") is True:
        body["is_required"] = False
    if case.meta is not None and case.meta.generation.mode.is_positive:
        for item in (body, *body.get("listings", [])):
            for name in REFERENCES & item.keys():
                item[name] = _there(item[name])


def _there(value: Any) -> Any:
    """An id that is there instead of one that is drawn; articles name their categories."""
    if isinstance(value, list):
        return [_there(each) for each in value]
    return 1 + int(value) % STANDING if isinstance(value, int | float) else value
