import pytest

from contentsync.server.store.words import MAX_QUERY_WORDS, MAX_WORD, normalise, query_words, whole_name, words


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("Rip  SAW\n", "rip saw"),
        ("Étau à l'ancienne", "etau a l'ancienne"),
        ("STRASSE Straße", "strasse strasse"),
        ("İstanbul", "istanbul"),
        ("ﬁle ①", "file 1"),
        ("Οδός", "οδοσ"),
        ("東京", "東京"),
        ("한국", "한국"),
        ("がぎ", "がぎ"),
        ("Łódź Sørlandet Œuvre", "lodz sorlandet oeuvre"),
    ],
)
def test_words_are_compared_without_case_and_accents(text: str, normalised: str) -> None:
    assert normalise(text) == normalised
    assert normalise(normalised) == normalised


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Rip saw, 2nd; (new)", ["rip", "saw", "2nd", "new"]),
        ("C++ and C#", ["c++", "c", "and", "c#", "c"]),
        ("Node.js .NET", ["node", "js", "nodejs", "net"]),
        ("e-mail don't", ["e", "mail", "email", "don", "t", "dont"]),
        ("#hashtag +49", ["hashtag", "49"]),
        ("a/b/c/d/e", ["a", "b", "c", "d", "e"]),
        ("咖啡馆", ["咖啡", "啡馆", "馆"]),
        ("東京cafe", ["東京", "京", "cafe"]),
        ("हिन्दी", ["हिन्दी"]),
        ("\0 \ud800 … ", []),
        ("x" * 100, ["x" * MAX_WORD]),
    ],
)
def test_a_text_is_split_into_words(text: str, found: list[str]) -> None:
    assert list(words(text)) == found


@pytest.mark.parametrize(
    ("query", "spellings"),
    [
        ("Espresso bar", [[("espresso",)], [("bar",)]]),
        ("c++", [[("c++",)]]),
        ("node.js", [[("node", "js"), ("nodejs",)]]),
        ("咖啡馆", [[("咖啡", "啡馆")]]),
        ("saw SAW Säw", [[("saw",)]]),
        ("- … '", []),
    ],
)
def test_a_query_is_split_into_words_with_spellings(query: str, spellings: list[list[tuple[str, ...]]]) -> None:
    assert [list(word.spellings) for word in query_words(query)] == spellings


def test_only_the_last_word_of_a_query_can_be_incomplete() -> None:
    assert [word.is_prefix for word in query_words("rip saw bla")] == [False, False, True]
    assert [word.is_prefix for word in query_words("茶 saw")] == [True, True]  # the first letter of a piece of two


def test_the_length_of_a_query_is_limited() -> None:
    assert len(query_words(" ".join(map(str, range(1000))))) == MAX_QUERY_WORDS
    assert query_words("x" * 1000)[0].spellings == [("x" * MAX_WORD,)]


@pytest.mark.parametrize(("one", "same"), [("Rip Saw", "rip-saw"), ("Node.js", "NodeJS"), ("Café", "cafe")])
def test_spellings_of_a_whole_name_are_equal(one: str, same: str) -> None:
    assert whole_name(one) == whole_name(same) != ""
