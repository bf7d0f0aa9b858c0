"""The database: the only package that uses SQL."""

from sqlalchemy import Connection, Row

from . import accounts, tokens, versions
from .database import Database
from .migration import State

__all__ = ["Connection", "Database", "Row", "State", "accounts", "tokens", "versions"]
