"""Ordinary work: commits of authors, each followed by `sync --yes`, and what the gates refuse."""

from collections.abc import Iterator

from ..http_server import Answer, answering
from . import content, oracles, site
from .acts import ACTS
from .content import FILE, LANGUAGE, key_of, originals
from .engine import History, Profile
from .steps import NUMBERS, sync_with_consent, take_acts

_COMMANDS = {"fetch": 0.25, "mv": 0.2}  # the share of commits that begin with the command
_RENAMED = {"page": "pages", "article": "articles", "organizer": "organizers", "category": "categories", "tag": "tags"}
_OFFERS = 20  # listings of the feed
_CONFIG = """[site]
name = "Ordinary"
locales = ["en", "fr"]

[sources.prices]
url = "{feed}/prices.csv"
file = "{fetched}"

"""


def ordinary(scale: float = 1.0) -> Profile:
    """Return the profile; with a scale of 1, the site has 60 listings and 30 pages."""
    return Profile(
        begin=lambda history: _begin(history, scale),
        steps={_work: 1},
        oracles=(_created_and_deleted, oracles.plan_is_empty),
        length=(4, 8),
    )


def _begin(history: History, scale: float) -> str:
    """Write the site, fetch the prices, and sync."""
    feed: dict[str, bytes] = {}
    address = history.cleanup.enter_context(answering(lambda request: Answer(body=feed[request.target])))
    files = site.first(history.draw, scale)
    offers = [site.offer(history.draw) for _ in range(max(3, round(_OFFERS * scale)))]
    history.notes |= {"feed": feed, "offers": offers, "created": site.count(files) + len(offers), "deleted": 0}
    history.configure(_CONFIG.format(feed=address, fetched=site.FETCHED), "prune = true\n")
    content.write(files, history.folder)
    _publish(history)
    history.run("fetch")
    history.commit("first")
    return _sync(history)


def _work(history: History) -> str:
    """Do some ordinary work, commit it, and sync."""
    done, touched = [], []
    if history.dice.random() < _COMMANDS["mv"]:
        touched = _rename(history)
        done.append(f"mv {touched[0]}")
    if history.dice.random() < _COMMANDS["fetch"]:
        done.append(_fetch(history))
    number = max(0, history.dice.choice(NUMBERS) - bool(done))
    done.append(take_acts(history, ACTS, number, touched))
    return f"{', '.join(filter(None, done)) or 'nothing'}; {_sync(history)}"


def _rename(history: History) -> list[str]:
    """Rename an entry with `mv`; return its new name and the names of its files."""
    kind, folder = history.dice.choice([("page", "pages"), *_RENAMED.items()])
    entry = history.dice.choice(originals(content.read(history.folder), folder))
    new = site.slug(history.draw.name())
    history.run("mv", f"{kind}/{key_of(entry, folder)}", new, "--yes")
    return [new, new + LANGUAGE, str(entry.get(FILE))]


def _fetch(history: History) -> str:
    """Fetch the offers with other prices, a few new ones, and without one of them."""
    dice, draw, offers = history.dice, history.draw, history.notes["offers"]
    deleted = dice.sample(offers, dice.choice((0, 0, 1)))
    new = [site.offer(draw) for _ in range(dice.choice((0, 0, 1, 2)))]
    offers[:] = [offer for offer in offers if offer not in deleted] + new
    for offer in offers:
        offer["price"] = draw.price()
    for offer in dice.sample(offers, dice.choice((0, 0, 2, 3))):
        offer["description"] = draw.text(1)
    dice.shuffle(offers)
    history.notes["created"] += len(new)
    history.notes["deleted"] += len(deleted)
    _publish(history)
    history.run("fetch")
    return f"fetch {len(offers)} prices"


def _publish(history: History) -> None:
    history.notes["feed"]["/prices.csv"] = content.table(history.notes["offers"]).encode()


def _sync(history: History) -> str:
    ran = sync_with_consent(history)
    if not ran.code:
        history.notes["summary"] = ran.document["summary"]
    return "sync"


def _created_and_deleted(history: History) -> Iterator[str]:
    """A sync creates and deletes as many entries as the authors have: a rename keeps its record."""
    if summary := history.notes.pop("summary", None):
        expected = {"create": history.notes["created"], "delete": history.notes["deleted"]}
        if (found := {name: summary[name] for name in expected}) != expected:
            yield f"another number: the sync wrote {found}, not {expected}"
    history.notes |= {"created": 0, "deleted": 0}
