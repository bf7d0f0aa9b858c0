"""JSON-LD inside a page."""

import json

from markupsafe import Markup

# Without these nothing ends a script, or starts a comment in one. What is not ASCII is escaped by `json` itself.
_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})


def json_ld(value: object) -> Markup:
    """The JSON of a value, as it may stand inside `<script type="application/ld+json">`."""
    text = json.dumps(value, separators=(",", ":"))
    return Markup(text.translate(_ESCAPES))  # noqa: S704  # no < or & is left in it
