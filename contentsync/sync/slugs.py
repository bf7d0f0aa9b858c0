"""Slugs of listings that the server has given away already."""

from ..errors import Problem, Where
from ..model import Kind
from .change import Action
from .plan import Plan


def slug_clashes(plan: Plan) -> list[Problem]:
    """A problem for each listing that is to have a slug that another one of the server keeps: it never could.

    The folder alone cannot know: the server makes the slugs of listings that name none.
    """
    leaving = {
        change.id
        for change in plan.changes
        if change.kind is Kind.LISTING and (change.action is Action.DELETE or "slug" in change.fields)
    }
    holders = {
        entry.fields.get("slug"): entry
        for entry in plan.actual
        if entry.kind is Kind.LISTING and entry.id not in leaving
    }
    problems = []
    for change in plan.changes:
        slug = change.entry.fields.get("slug")
        wants = change.kind is Kind.LISTING and change.action is not Action.DELETE and "slug" in change.fields
        holder = holders.get(slug) if wants else None
        if slug and holder:
            source = change.entry.source
            problems.append(
                Problem(
                    "slug-taken",
                    f"the slug '{slug}' is that of {holder.key} on the server",
                    source.where("slug") if source else Where(""),
                    "give one of the two another slug",
                    kind=change.kind,
                    key=change.key,
                )
            )
    return problems
