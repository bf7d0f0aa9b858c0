"""Slugs of listings that the server has given away already."""

from ..errors import Problem, Where
from ..model import Kind
from .change import Action
from .plan import Plan


def slug_clashes(plan: Plan) -> list[Problem]:
    """A problem for each new listing whose slug another listing of the server keeps: it could never be created.

    The folder alone cannot know: the server makes the slugs of listings that name none.
    """
    leaving = {
        change.id
        for change in plan.changes
        if change.kind is Kind.LISTING and change.action is Action.UPDATE and "slug" in change.fields
    }
    holders = {
        entry.fields.get("slug"): entry
        for entry in plan.actual
        if entry.kind is Kind.LISTING and entry.id not in leaving
    }
    problems = []
    for change in plan.changes:
        slug = change.entry.fields.get("slug")
        holder = holders.get(slug) if change.kind is Kind.LISTING and change.action is Action.CREATE else None
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
