"""Content folders written from dicts, as for the tests of reading."""

from ..content.conftest import read

__all__ = ["read"]
