"""The entry point: `contentsync`, `python -m contentsync`."""

import sys


def main() -> int:
    """Runs the command line; the exit code (cli.md)."""
    if sys.argv[1:] == ["--version"]:  # answered before anything else is imported
        from . import __version__

        print(f"contentsync {__version__}")
        return 0
    from .cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
