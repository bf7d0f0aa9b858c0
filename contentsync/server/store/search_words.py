"""All words of a directory's records, in which a visitor's typing errors are found.

One wrong letter is forgiven in a word of five letters or more, and two from nine. Two letters in the wrong order are
one error.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, bindparam, or_, select, text

from .caching import STATEMENT_CACHE, StatementCache
from .statements import Statement, driver_connection, is_sqlite
from .tables import search_words

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
    if is_sqlite(connection):
        rows = [(directory_id, word, word[::-1]) for word in wanted]
        driver_connection(connection).executemany("INSERT OR IGNORE INTO search_words VALUES (?, ?, ?)", rows)
    else:
        connection.execute(_ADD_POSTGRESQL, {"directory": directory_id, "words": sorted(wanted)})
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
    candidates = _CANDIDATES.column(connection, parameters)
    found = extract(word, candidates, scorer=OSA.distance, score_cutoff=errors, limit=None)
    by_distance = sorted((distance, each) for each, distance, _ in found if distance)
    return [each for _, each in by_distance[:MAX_SIMILAR]]


def _after(beginning: str) -> str:
    """Return the first text after all texts with this beginning, by code points."""
    return beginning[:-1] + chr(ord(beginning[-1]) + 1)


_C = search_words.c
_CANDIDATES = Statement(
    select(_C.word)
    .where(
        _C.directory_id == bindparam("directory"),
        or_(
            (_C.word >= bindparam("start")) & (_C.word < bindparam("start_after")),
            (_C.reversed >= bindparam("end")) & (_C.reversed < bindparam("end_after")),
        ),
    )
    .limit(MAX_CANDIDATES)
)
_ADD_POSTGRESQL = text(
    "INSERT INTO search_words (directory_id, word, reversed)"
    " SELECT :directory, word, reverse(word) FROM unnest(CAST(:words AS text[])) AS word ON CONFLICT DO NOTHING"
)
