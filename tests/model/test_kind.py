"""The seven kinds (docs/contract.md 1, 4, 14)."""

from contentsync.model import RECORDS, Kind


def test_the_collections_are_the_contracts_paths() -> None:
    """docs/contract.md 4.3."""
    assert {str(kind): kind.collection for kind in Kind} == {
        "category": "categories",
        "tag": "tags",
        "custom_field": "custom-fields",
        "organizer": "organizers",
        "listing": "projects",
        "page": "pages",
        "article": "articles",
    }


def test_what_is_referred_to_comes_first() -> None:
    order = list(Kind)
    for kind, model in RECORDS.items():
        for referred in model.references.values():
            assert referred is kind or order.index(referred) < order.index(kind)
    assert order.index(Kind.CUSTOM_FIELD) < order.index(Kind.ORGANIZER)
