"""Every kind of wrong but well-formed answer, and the requests that meet it."""

from collections.abc import Callable
from dataclasses import dataclass

from . import wrong_lists, wrong_writes
from .proxy import Exchange, Fault, passed_on

_WITHOUT = "-without-etag"

Meets = Callable[[str, str], bool]  # of a method and a path
GoesOn = Callable[[Exchange, Exchange], bool]  # of the request that met the answer, and a later one


@dataclass(frozen=True)
class WrongAnswer:
    """One way to answer wrongly; `goes_on` says which later requests belong to one that met it once."""

    name: str
    fault: Fault
    meets: Meets
    goes_on: GoesOn = lambda first, later: False

    @property
    def without_etags(self) -> bool:
        """Return whether the answer differs from those before it on a service that has no ETags."""
        return self.name != "list-unchanged" and not self.name.endswith(_WITHOUT)


class Meeting:
    """A wrong answer to the first request it can meet from a number on, or to all of them."""

    def __init__(self, answer: WrongAnswer, number: int, *, forever: bool) -> None:
        self._answer = answer
        self._number = number
        self._forever = forever
        self._first: Exchange | None = None
        self._over = False

    async def __call__(self, exchange: Exchange) -> None:
        """Be the fault of a proxy that lets it meet every request."""
        await (self._answer.fault if self._is_met(exchange) else passed_on)(exchange)

    def _is_met(self, exchange: Exchange) -> bool:
        if exchange.number < self._number or self._over:
            return False
        if self._forever:
            return self._answer.meets(exchange.method, exchange.path)
        if self._first is None:
            if self._answer.meets(exchange.method, exchange.path):
                self._first = exchange
                return True
            return False
        if (exchange.method, exchange.path) == (self._first.method, self._first.path):
            self._over = True  # the same request again: from now on the server is right
        return not self._over and self._answer.goes_on(self._first, exchange)


def _a_list(method: str, path: str) -> bool:
    return method == "GET" and not _last(path).isdigit() and wrong_lists.page_of(path) == 1


def _any_page(method: str, path: str) -> bool:
    return method == "GET" and not _last(path).isdigit()


def _one_record(method: str, path: str) -> bool:
    if method == "DELETE" or _last(path) in ("bulk", "exists"):
        return False
    return method != "GET" or _last(path).isdigit()


def _a_write(method: str, path: str) -> bool:
    return method != "GET" and _one_record(method, path)


def _a_write_or_one_record(method: str, path: str) -> bool:
    return method == "DELETE" or _one_record(method, path)


def _a_delete(method: str, path: str) -> bool:
    return method == "DELETE"


def _a_bulk(method: str, path: str) -> bool:
    return _last(path) == "bulk"


def _last(path: str) -> str:
    return path.partition("?")[0].rpartition("/")[2]


def _a_later_page(first: Exchange, later: Exchange) -> bool:
    same = later.path.partition("?")[0] == first.path.partition("?")[0]
    return same and _any_page(later.method, later.path) and wrong_lists.page_of(later.path) > 1


def _the_same_record(first: Exchange, later: Exchange) -> bool:
    return later.method == "GET" and later.path.partition("?")[0] == first.path.partition("?")[0]


def _answers() -> list[WrongAnswer]:
    answers = []
    for etag, suffix in ((True, ""), (False, _WITHOUT)):
        answers += [
            WrongAnswer(f"list-{name}{suffix}", wrong_lists.listing(keeps, etag=etag), _any_page, _a_later_page)
            for name, keeps in (
                ("empty", wrong_lists.no_records),
                ("without-first", wrong_lists.without_first),
                ("without-last", wrong_lists.without_last),
                ("without-even", wrong_lists.without_even),
                ("without-odd", wrong_lists.without_odd),
            )
        ]
        answers += [
            WrongAnswer(f"bulk-{name}{suffix}", wrong_writes.bulk(part, etag=etag), _a_bulk)
            for name, part in (("none", slice(0)), ("first-two", slice(2)), ("last", slice(-1, None)))
        ]
        answers += [
            WrongAnswer(f"another-record{suffix}", wrong_writes.another_record(done=True, etag=etag), _one_record),
            WrongAnswer(
                f"not-done-another-record{suffix}", wrong_writes.another_record(done=False, etag=etag), _a_write
            ),
            WrongAnswer(f"another-id{suffix}", wrong_writes.another_id(etag=etag), _one_record),
        ]
    return [
        *answers,
        WrongAnswer("list-unchanged", wrong_lists.unchanged, _a_list),
        WrongAnswer("delete-not-found", wrong_writes.not_found, _a_delete),
        WrongAnswer("read-back-another", wrong_writes.read_back_another, _a_write_or_one_record, _the_same_record),
    ]


ANSWERS = {answer.name: answer for answer in _answers()}
