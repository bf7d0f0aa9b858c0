"""A plan as a whole: where it leads, what it comes to and costs, what it leaves alone, and what speaks against it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.table import Table
from rich.text import Text

from ..model import Kind
from ..sync import Action, Plan, Refusal
from .words import counted, printable


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a plan leads: the target's name, its address for people, and its pace."""

    name: str
    address: str
    requests_per_minute: int | None  # None: unlimited
    secret: str = field(default="", repr=False)  # the token, which no report shows, should a text hold it

    def seconds(self, requests: int) -> int:
        """How long that many requests have to wait for the target's pace, which lets a minute's worth go at once."""
        return max(0, requests - 1) // self.requests_per_minute * 60 if self.requests_per_minute else 0


COLUMNS = (*Action, "unchanged", "unmanaged")


def kind_counts(plan: Plan) -> Iterator[tuple[Kind, list[int]]]:
    """The numbers of each kind, in the order of COLUMNS."""
    unmanaged = Counter(entry.kind for entry in plan.unmanaged)
    actions = Counter((change.kind, change.action) for change in plan.changes)
    for kind in Kind:
        yield kind, [*(actions[kind, action] for action in Action), plan.unchanged.get(kind, 0), unmanaged[kind]]


TABLE_WIDTH = 60  # columns of a terminal that the table of the counts needs


def plan_counts(plan: Plan, width: int) -> Table | Text:
    """Return the counts by kind: a table, or a list where the terminal is too narrow for one."""
    return _plan_list(plan) if width < TABLE_WIDTH else plan_table(plan)


def plan_table(plan: Plan) -> Table:
    """Counts by kind."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("kind")
    for heading in COLUMNS:
        table.add_column(heading, justify="right")
    for kind, counts in kind_counts(plan):
        if any(counts):
            table.add_row(kind.plural, *(f"{count:,}" if count else "·" for count in counts))
    return table


def _plan_list(plan: Plan) -> Text:
    """Return a line for each kind and each of its counts, as a column that is cut to `cre…` says nothing."""
    lines = []
    for kind, counts in kind_counts(plan):
        if any(counts):
            lines.append(kind.plural)
            lines += [f"  {count:,} {heading}" for heading, count in zip(COLUMNS, counts, strict=True) if count]
    return Text("\n".join(lines))


def plan_summary(plan: Plan, destination: Destination) -> Text:
    """One line that says it all."""
    text = Text()
    name = printable(destination.name)
    if not plan:
        text.append("nothing to do", "bold green")
        left = (
            f", but for {counted(len(plan.drift), 'entry', 'entries')} changed or deleted there" if plan.drift else ""
        )
        text.append(f": {name} is what the folder says{left}" if not plan.theirs else f": {_left(plan)}")
        return text
    text.append(sum_of(plan), "bold")
    text.append(f" on {name} ({printable(destination.address)}): {cost_of(plan, destination)}")
    if plan.theirs:
        text.append(f"; {_left(plan)}")
    if plan.refusals:
        text.append("; ")
        text.append("refused", "bold red")
    return text


def _left(plan: Plan) -> str:
    is_, are = "entry is left as it is on the server", "entries are left as they are on the server"
    return counted(len(plan.theirs), is_, are)


def sum_of(plan: Plan) -> str:
    """`2 to create, 1 to delete`."""
    return ", ".join(f"{count:,} to {action}" for action in Action if (count := plan.count(action)))


def cost_of(plan: Plan, destination: Destination) -> str:
    """How many requests, how long they take, and how many of them are for safety alone."""
    text = counted(plan.requests, "request")
    if plan.checks:
        text += f" ({plan.checks:,} of them to read a second time before anything is created or deleted)"
    if seconds := destination.seconds(plan.requests):
        text += f", about {counted(seconds // 60, 'minute')} at {destination.requests_per_minute} a minute"
    return text


def plan_notes(plan: Plan) -> list[str]:
    """What is done without any request, and what is left although it was ours: a sentence each."""
    notes = []
    adopted = sum(line.identity not in plan.base for line in plan.base_updates)
    if adopted:
        is_, are = "entry that is equal already is", "entries that are equal already are"
        notes.append(f"{counted(adopted, is_, are)} adopted")
    if note := spared_note(plan):
        notes.append(note)
    return notes


def theirs_text(plan: Plan) -> Text:
    """Return what `--on-conflict theirs` leaves as it is on the server, a line each."""
    return Text("".join(f"  left as it is {printable(left)}\n" for left in plan.theirs), "yellow")


def spared_note(plan: Plan) -> str:
    """How many entries were ours and stay although the folder has them no more, and why; empty for none."""
    if not plan.retained:
        return ""
    reasons = Counter(_with_flag(spared.why) for spared in plan.retained).most_common()
    told = [why if len(reasons) == 1 else f"{number:,} {why}" for why, number in reasons]
    is_, are = "entry that is no longer in the folder is", "entries that are no longer in the folder are"
    return f"{counted(len(plan.retained), is_, are)} left alone: {', '.join(told)}"


def refusals_text(refusals: Sequence[Refusal]) -> Text:
    """Why the plan will not be applied, and what would consent to it; loud."""
    text = Text()
    for refusal in refusals:
        text.append("refused", "bold white on red")
        text.append(f" {printable(refusal.message)}\n", "bold")
        text.append(f"  {refusal.flag} consents to it\n" if refusal.flag else "  no option consents to that\n")
    return text


def left_alone(plan: Plan) -> Iterator[str]:
    """What only the server has, a line each, and why it stays."""
    spared = {(entry.kind, entry.id): why for entry, why in plan.retained}
    for entry in plan.unmanaged:
        why = spared.get((entry.kind, entry.id))
        told = f"no longer in the folder, left: {why}" if why else "on the server only, left alone"
        yield f"  · {entry.kind} {printable(entry.key)}  {told}"


def _with_flag(why: str) -> str:
    """Why an entry is spared, with the option that would not spare it."""
    options = {"prune is off": "--prune deletes them", "changed on the server": "--on-drift overwrite deletes them"}
    return f"{why} ({options[why]})" if why in options else why
