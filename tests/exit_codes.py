"""The exit codes of the commands (docs/reference/commands.md).

They are numbers of their own, and not the constants of the package, so that a changed code fails the tests.
"""

CONTENT_ERRORS = 1  # also for a local file that cannot be read or written
CHANGES = 2  # with --detailed-exitcode
REFUSED = 3
SERVER_ERROR = 4  # also for a database
PARTLY_DONE = 5
WRONG_USAGE = 64
INTERRUPTED = 130
