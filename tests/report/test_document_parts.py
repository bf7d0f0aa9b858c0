from contentsync.model import Entry, Kind
from contentsync.report.document_parts import redact
from contentsync.sync.comparing.diff import FieldChange


def test_the_token_is_hidden_in_keys() -> None:
    assert redact({"a": [{"cs_c4n4ry": "x"}]}, "cs_c4n4ry") == {"a": [{"(hidden)": "x"}]}


def test_values_keep_their_types_without_the_token() -> None:
    entry = Entry(Kind.PAGE, "a t0ken", {"title": "my t0ken"})
    field = FieldChange(("a", "t0ken"), None)
    assert redact((entry, field), "t0ken") == (
        Entry(Kind.PAGE, "a (hidden)", {"title": "my (hidden)"}),
        FieldChange(("a", "(hidden)"), None),
    )
    assert redact({"kind": Kind.PAGE}, "t0ken")["kind"] is Kind.PAGE


def test_a_longer_token_is_hidden_as_a_whole() -> None:
    assert redact("key t0ken-2", "t0ken-2", "t0ken") == "key (hidden)"
