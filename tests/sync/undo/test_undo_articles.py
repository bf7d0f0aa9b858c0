"""Undoing a run restores the date and both texts of an article."""

from pathlib import Path

import pytest

from contentsync.model import Entry, Kind, Source
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Policy

from ..site import Site
from .undoing import ARTICLE, fields, one_of_each_kind, undo


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, ("en", "fr"))


def article(**body: object) -> Entry:
    fields = {"slug": "post", "title": "P", "published_at": "2026-01-15T10:30:00.000000Z", **body}
    return Entry(Kind.ARTICLE, "post", fields, Source("articles/post.md"))


def both_texts(site: Site) -> tuple[object, ...]:
    there = site.there(Kind.ARTICLE)["post"].fields
    return there["markdown"], there["content"], there["is_markdown"]


def test_an_article_without_a_date_is_restored_without_a_date(site: Site) -> None:
    """A service sets the date of a new article that is sent without one."""
    site.synced([*one_of_each_kind(), ARTICLE])
    site.edit(Kind.ARTICLE, "post", markdown="One\n\nTwo", published_at=None)
    before = fields(site.everything())
    site.sync(one_of_each_kind(), policy=Policy(prune=True, on_drift="overwrite", allowed=Consents(deletes=1)))
    undo(site)
    assert fields(site.everything()) == before


def test_an_undo_restores_which_text_an_article_shows(site: Site) -> None:
    html, markdown = article(content="<p>x</p>"), article(markdown="Other")
    site.synced([html])
    site.synced([markdown])
    undo(site)
    there = site.there(Kind.ARTICLE)["post"].fields
    assert (there["content"], there["is_markdown"], site.planned([html]).changes) == ("<p>x</p>", False, ())
    undo(site)
    there = site.there(Kind.ARTICLE)["post"].fields
    assert (there["markdown"], there["is_markdown"], site.planned([markdown]).changes) == ("Other", True, ())


def test_an_undo_of_a_delete_restores_which_text_an_article_shows(site: Site) -> None:
    site.synced([article(markdown="Text"), *one_of_each_kind()])
    site.edit(Kind.ARTICLE, "post", content="<p>theirs</p>")
    site.sync(one_of_each_kind())
    undo(site)
    there = site.there(Kind.ARTICLE)["post"].fields
    assert (there["content"], there["is_markdown"]) == ("<p>theirs</p>", False)


@pytest.mark.parametrize("by_a_run", [True, False])
def test_an_undo_of_a_delete_restores_both_texts_of_an_article(site: Site, *, by_a_run: bool) -> None:
    site.synced([article(markdown="Text"), *one_of_each_kind()])
    if by_a_run:
        site.synced([article(content="<p>html</p>"), *one_of_each_kind()])
    else:
        site.edit(Kind.ARTICLE, "post", content="<p>html</p>")
    before = both_texts(site)
    assert before == ("Text", "<p>html</p>", False)
    site.sync(one_of_each_kind())
    plan, _ = undo(site)
    assert (plan.write_count, both_texts(site)) == (2, before)


def test_an_overwritten_hidden_text_is_restored_and_stays_hidden(site: Site) -> None:
    site.synced([article(markdown="Text")])
    site.synced([article(content="<p>html</p>")])
    before = both_texts(site)
    site.synced([article(markdown="Other")])
    assert both_texts(site) == ("Other", "<p>html</p>", True)
    undo(site)
    assert both_texts(site) == before
    undo(site)
    assert both_texts(site) == ("Other", "<p>html</p>", True)
