"""Every command, with the module that has its options.

These modules import what takes long when the command runs, so that `--help` and `validate` do not pay for the client
and the server.
"""

# The module of each command, in the order of the help, and in it the function, or the Typer of its subcommands.
COMMANDS = {
    "init": "init_command.init",
    "adopt": "adopt_command.adopt",
    "new": "new_command.new",
    "validate": "validate_command.validate",
    "plan": "planning_commands.plan",
    "sync": "planning_commands.sync",
    "pull": "planning_commands.pull",
    "status": "status_command.status",
    "drift": "drift_command.drift",
    "propose": "propose_command.propose",
    "list": "list_command.list_",
    "set": "set_command.set_",
    "links": "links_command.links",
    "log": "log_command.log",
    "mv": "mv_command.mv",
    "redirects": "redirects_command.redirects",
    "assets": "assets_command.assets",
    "export": "spreadsheet_command.export",
    "import": "spreadsheet_command.import_",
    "fetch": "fetch_command.fetch",
    "undo": "planning_commands.undo",
    "forget": "forget_command.forget",
    "explain": "explain_command.explain",
    "schema": "schema_command.schema",
    "serve": "serve_command.serve",
    "watch": "watch_command.watch",
    "dev": "dev_command.dev",
    "hook": "hook_command.app",
    "admin": "admin_command.app",
}
