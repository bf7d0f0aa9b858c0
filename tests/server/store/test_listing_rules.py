from contentsync.server.store.listing_rules import sort_name


def test_names_are_sorted_without_case_and_accents() -> None:
    assert sorted(["saw", "Étau", "Łata", "Saw blade", "adze"], key=sort_name) == [
        "adze",
        "Étau",
        "Łata",
        "saw",
        "Saw blade",
    ]
