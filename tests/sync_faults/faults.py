"""The kinds of fault that a request can meet between a client and a service."""

from collections.abc import Callable
from dataclasses import dataclass

from . import corruption
from .proxy import Fault, refused

ELSEWHERE = "http://elsewhere.example.org/stolen"
_HTML = b"<!doctype html><title>Welcome to the hotel's network</title>"
_FAR = "Thu, 01 Jan 2099 00:00:00 GMT"

Meets = Callable[[str, str], bool]  # of a method and a path


@dataclass(frozen=True)
class FaultKind:
    """One way to fail."""

    name: str
    ids: tuple[str, ...]  # of the spec's list
    fault: Fault
    meets: Meets
    passes: bool  # a single one is survived: the run ends as if nothing had been
    slow: bool  # it is over only when the client has lost its patience


def _anything(method: str, path: str) -> bool:
    return True


def _a_write(method: str, path: str) -> bool:
    return method != "GET"


def _a_list(method: str, path: str) -> bool:
    return method == "GET" and not path.split("?")[0].rsplit("/", 1)[1].isdigit()


def _a_paged_list(method: str, path: str) -> bool:
    return _a_list(method, path) and path.split("?")[0].rsplit("/", 1)[1] in ("pages", "articles", "projects")


def _a_change(method: str, path: str) -> bool:
    return _a_write(method, path) and method != "DELETE"


def _a_delete(method: str, path: str) -> bool:
    return method == "DELETE"


def _a_new_article(method: str, path: str) -> bool:
    return method == "POST" and path.partition("?")[0].endswith(("/articles", "/articles/exists"))


def _a_bulk(method: str, path: str) -> bool:
    return path.endswith("/bulk")


def _kinds() -> "list[FaultKind]":
    every, write, paged, bulk = _anything, _a_write, _a_paged_list, _a_bulk

    def kind(name: str, ids: str, fault: Fault, meets: Meets = every, *, passes: bool = False) -> FaultKind:
        return FaultKind(
            name,
            tuple(ids.split()),
            fault,
            meets,
            passes,
            fault in (corruption.late, corruption.late_answer, corruption.drip),
        )

    return [
        kind("refused", "HT-01", refused, passes=True),
        kind("closed-before-the-answer", "HT-02", corruption.closed, passes=True),
        kind("reset-before-the-answer", "HT-02", corruption.reset, passes=True),
        kind("answer-lost", "HT-02", corruption.lost, passes=True),
        kind("answer-lost-with-reset", "HT-02", corruption.lost_with_reset, passes=True),
        kind("done-too-late", "HT-03", corruption.late, passes=True),
        kind("answered-too-late", "HT-03", corruption.late_answer, passes=True),
        kind("short-body", "HT-04", corruption.short, passes=True),
        kind("cut-chunk", "HT-04", corruption.cut_chunk, passes=True),
        kind("early-end", "HT-05", corruption.early_end, passes=True),
        kind("html", "HT-06", corruption.answering(_HTML, Content_Type="text/html")),
        kind("empty", "HT-06", corruption.answering()),
        kind("null", "HT-06", corruption.answering(b"null")),
        kind("empty-object", "HT-06", corruption.answering(b"{}")),
        kind("null-data", "HT-06", corruption.answering(b'{"data": null}')),
        kind("empty-list", "HT-06", corruption.answering(b"[]")),
        kind("records-without-ids", "HT-06", corruption.rewritten(corruption.without_ids)),
        kind("done-and-html", "HT-06", corruption.answering(_HTML, done=True, Content_Type="text/html"), write),
        kind("done-and-empty-object", "HT-06", corruption.answering(b"{}", done=True), write),
        kind("204", "HT-07", corruption.answering(status=204)),
        kind("206", "HT-07", corruption.reshaped(corruption.half)),
        kind("302", "HT-07", corruption.answering(status=302, Location="/login")),
        kind("drip", "HT-08", corruption.drip),
        kind("gzip-bomb", "HT-09", corruption.gzip_bomb, _a_list),
        kind("wrong-gzip", "HT-10", corruption.reshaped(corruption.wrong_gzip), passes=True),
        kind("bad-utf8", "HT-10", corruption.reshaped(corruption.bad_utf8), passes=True),
        kind("429-unsaid", "HT-11", corruption.refusing(429), passes=True),
        *(
            kind(f"429-{reported}", "HT-11", corruption.refusing(429, Retry_After=reported), passes=True)
            for reported in ("2", "-5", "abc", "")
        ),
        *(
            kind(f"429-{reported}", "HT-11", corruption.refusing(429, Retry_After=reported))
            for reported in ("99999999999", _FAR)
        ),
        *(kind(str(status), "HT-13", corruption.refusing(status)) for status in (500, 502, 503, 504)),
        *(
            kind(f"done-and-{status}", "HT-13", corruption.refusing(status, done=True), write)
            for status in (500, 502, 503, 504)
        ),
        kind("401", "HT-14", corruption.refusing(401)),
        kind("403", "HT-14", corruption.refusing(403)),
        kind("422", "HT-15", corruption.refusing(422), write),
        kind("409", "HT-16", corruption.refusing(409), write),
        kind("404", "HT-17", corruption.refusing(404), _a_change),  # of a delete it says that it is done
        kind("deleted-before", "HT-17", corruption.deleted_before, _a_delete, passes=True),
        *(kind(str(status), "HT-18", corruption.refusing(status)) for status in (413, 414, 431)),
        kind("bulk-index-out-of-range", "HT-19", corruption.bulk(corruption.out_of_range), bulk),
        kind("bulk-index-twice", "HT-19", corruption.bulk(corruption.twice), bulk),
        kind("bulk-missing", "HT-19", corruption.bulk(corruption.missing), bulk),
        kind("bulk-totals", "HT-19", corruption.bulk(corruption.missing, totals=False), bulk),
        kind("bulk-reordered", "HT-19", corruption.bulk(corruption.reordered), bulk),
        kind("bulk-half-done", "HT-20", corruption.half_done, bulk, passes=True),
        *(
            kind(
                f"exists-{status}", "HT-21", corruption.unsure(corruption.refusing(status)), _a_new_article, passes=True
            )
            for status in (400, 500)
        ),
        kind(
            "exists-says-nothing", "HT-21", corruption.unsure(corruption.answering(b"{}")), _a_new_article, passes=True
        ),
        kind("307", "HT-22", corruption.answering(status=307, Location=ELSEWHERE)),
        kind("huge-header", "HT-27", corruption.reshaped(corruption.huge_header)),
        kind("many-interim-answers", "HT-27", corruption.reshaped(corruption.many_interim), passes=True),
        kind("other-time", "HT-29", corruption.reshaped(corruption.other_time), passes=True),
        kind("last-page-wrong", "HT-28", corruption.meta(last_page=1), paged),
        kind("total-wrong", "HT-28", corruption.meta(total=1), paged),
        kind("record-left-out", "HT-28", corruption.rewritten(corruption.shortened), paged),
        kind("same-page-for-ever", "HT-28", corruption.same_page, paged),
    ]


KINDS = _kinds()
