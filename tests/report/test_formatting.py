from contentsync.errors import pluralize


def test_counts_have_a_plural() -> None:
    assert pluralize(1, "error") == "1 error"
    assert pluralize(1200, "error") == "1,200 errors"
