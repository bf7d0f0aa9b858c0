"""The process that the commands are forked from."""

from multiprocessing import get_context

_COMMANDS = (
    *("command_line", "session", "plan_command", "sync_command", "status_command", "pull_command"),
    *(
        "forget_command",
        "watch_loop",
        "serve_command",
        "admin_command",
        "validate_command",
        "propose_command",
        "dev_command",
    ),
)

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        "tests.forked.command",
        "tests.sync_faults.killable",
        "alembic.command",
        "alembic.config",
        "anyio._backends._asyncio",
        "httpcore",
        "rich._emoji_codes",
        "rich.status",
        "typer._adapters",
        "typer._click.decorators",
        "uvicorn.lifespan.on",
        "uvicorn.loops.uvloop",
        "contentsync.__main__",
        "contentsync.content.folder.folder_reader",
        "contentsync.hooks.worktree",
        "contentsync.exchange.proposal.proposing",
        "contentsync.report.proposal_report",
        "contentsync.server.embedded",
        "contentsync.server.edge.process",
        "contentsync.server.store.postgresql",
        "contentsync.server.store.sqlite",
        *(f"contentsync.cli.{name}" for name in _COMMANDS),
        "tests.forked.preload",
    ]
)
