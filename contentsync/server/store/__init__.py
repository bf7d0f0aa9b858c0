"""The database: the only package that uses SQL."""

from sqlalchemy import Connection, Row

from . import accounts, tokens, versions
from .connecting import connect_database
from .database import Database
from .migration import State

__all__ = ["Connection", "Database", "Row", "State", "accounts", "connect_database", "tokens", "versions"]
