"""All words of a directory's records, in which a visitor's typing errors are found.

One wrong letter is forgiven in a word of five letters or more, and two from nine. Two letters in the wrong order are
one error.
"""

from collections.abc import Iterable, Sequence

from .caching import STATEMENT_CACHE, StatementCache
from .sql import Connection

MIN_LETTERS = 4  # of a word in the table: a letter may be missing in a word of five
ONE_ERROR, TWO_ERRORS = 5, 9  # letters from which so many errors are forgiven
END_LETTERS = 3  # of a word with two errors, of which the first ones or the last ones must be right
MAX_CANDIDATES = 20_000  # words that are compared
MAX_SIMILAR = 8  # words for one of a query
MAX_KNOWN = 200_000  # words of all directories in the cache of a connection


def add_words(connection: Connection, directory_id: int, words: Iterable[str]) -> None:
    """Add those of the words in which errors may be searched, if they are not there yet."""
    wanted = {word for word in words if len(word) >= MIN_LETTERS and word.isalpha()}
    cache: StatementCache | None = connection.info.get(STATEMENT_CACHE)
    known: set[str] | None = None
    if cache is not None:  # it is cleared if the transaction is rolled back
        known = cache.get((add_words, directory_id), set)
        if len(known) > MAX_KNOWN:
            known.clear()
        wanted -= known
    if not wanted:
        return
    if connection.is_sqlite:
        connection.run_many(_ADD, [{"directory": directory_id, "word": word, "end": word[::-1]} for word in wanted])
    else:
        connection.run(_ADD_POSTGRESQL, {"directory": directory_id, "words": sorted(wanted)})
    if known is not None:
        known |= wanted


def similar_words(connection: Connection, directory_id: int, word: str) -> Sequence[str]:
    """Return at most MAX_SIMILAR other words of the directory that a visitor may have meant, the most similar first."""
    errors = 0 if len(word) < ONE_ERROR else 1 if len(word) < TWO_ERRORS else 2
    if not errors or not word.isalpha():
        return ()
    # Imported here: a command with an embedded server searches nothing.
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    # One error cannot be both in the first and in the last of these letters, even if it is a transposition.
    letters = (len(word) - 2) // 2 if errors == 1 else END_LETTERS
    start, end = word[:letters], word[-letters:][::-1]
    parameters = {"directory": directory_id, "start": start, "start_after": _after(start)}
    parameters |= {"end": end, "end_after": _after(end)}
    candidates = connection.column(_CANDIDATES, parameters)
    found = extract(word, candidates, scorer=OSA.distance, score_cutoff=errors, limit=None)
    by_distance = sorted((distance, each) for each, distance, _ in found if distance)
    return [each for _, each in by_distance[:MAX_SIMILAR]]


def _after(beginning: str) -> str:
    """Return the first text after all texts with this beginning, by code points."""
    return beginning[:-1] + chr(ord(beginning[-1]) + 1)


_CANDIDATES = (
    "SELECT word FROM search_words WHERE directory_id = :directory"
    " AND (word >= :start AND word < :start_after OR reversed >= :end AND reversed < :end_after)"
    f" LIMIT {MAX_CANDIDATES}"
)
_ADD = "INSERT INTO search_words (directory_id, word, reversed) VALUES (:directory, :word, :end) ON CONFLICT DO NOTHING"
# One statement for all words, because each one would wait for the server's answer.
_ADD_POSTGRESQL = (
    "INSERT INTO search_words (directory_id, word, reversed)"
    " SELECT :directory, word, reverse(word) FROM unnest(CAST(:words AS text[])) AS word ON CONFLICT DO NOTHING"
)
