"""Messages about the waits of a command for the server."""

from rich.console import Console

from ..content.config.config_tables import Target
from ..remote import MAX_SILENCE, Pacer, WaitReports


def wait_messages(target: Target, pacer: Pacer | None, console: Console) -> WaitReports:
    """Return callbacks that print the waits for a target; `pacer` is None if it has no rate limit."""

    def report_wait(seconds: float) -> None:
        if seconds >= 1:  # shorter waits are not noticeable
            console.print(f"waiting {seconds:.0f} s: the server accepts no more requests until then", style="dim")

    def report_pace() -> None:
        """Print how many requests a minute are sent, and whether the config, the server or the default limits them."""
        if pacer is None:
            return
        if target.requests_per_minute == pacer.limit:
            source = "requests_per_minute of the target"
        elif pacer.is_reported:
            source = "the limit that the server reports"
        else:
            reason = "as the server reports no limit" if pacer.has_answer else "until the server reports its limit"
            source = f"the default, {reason}; requests_per_minute of the target changes it"
        console.print(f"sending at most {pacer.limit} requests a minute ({source})", style="dim", markup=False)

    def report_silence(seconds: float) -> None:
        limit = f"the run stops after {MAX_SILENCE:.0f} s without one"
        console.print(f"waiting for an answer from {target.url}, {seconds:.0f} s so far: {limit}", style="dim")

    return WaitReports(report_wait, report_pace, report_silence)
