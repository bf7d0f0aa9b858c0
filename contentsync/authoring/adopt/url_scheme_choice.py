"""Propose the scheme of addresses that authors write without one, such as `www.example.org`."""

from collections.abc import Iterator

from ...content.config.unknown_keys import content_table
from ...content.entry.url_schemes import count_without_scheme
from ...content.folder.entry_reader import EntryReader
from .adopted_folder import AdoptedFolder, Trial
from .proposed_settings import ProposedSetting

_MIN_VALUES = 3  # fewer are mistakes, whose errors suggest the address
_MIN_SHARE = 0.05  # of the addresses of a kind


def propose_url_schemes(adopted: AdoptedFolder, trial: Trial) -> Iterator[ProposedSetting]:
    """Yield the setting for each kind of which many addresses have no scheme."""
    with_problems = {problem.kind for problem in trial.report.problems if problem.code == "bad-url"}
    config = adopted.config
    reader = EntryReader(config, definitions={kind: dict(fields) for kind, fields in trial.definitions.items()})
    for kind, table in config.content.items():
        if kind in with_problems and table.url_scheme is None:
            names = reader.url_names(kind)
            counts = [count_without_scheme(draft.values, names) for draft in adopted.drafts(kind)]
            missing, total = (sum(column) for column in zip(*counts, strict=True))
            if missing >= max(_MIN_VALUES, _MIN_SHARE * total):
                comment = f"{missing:,} of {total:,} addresses have no scheme"
                yield ProposedSetting(content_table(kind), "url_scheme", "https", comment=comment)
