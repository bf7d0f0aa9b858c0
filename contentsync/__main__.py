"""The entry point: `contentsync`, `python -m contentsync`."""

import sys
from contextlib import suppress


def main() -> int:
    """Runs the command line; the exit code (cli.md)."""
    if sys.argv[1:] == ["--version"]:  # answered before anything else is imported
        from . import __version__

        with suppress(OSError, AttributeError):  # told below
            print(f"contentsync {__version__}")
            sys.stdout.flush()
            return 0
    from .cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
