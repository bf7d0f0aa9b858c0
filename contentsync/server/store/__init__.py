"""The service's memory: the only place that knows SQL."""

from sqlalchemy import Connection, Row

from . import accounts, tokens
from .database import Database, State

__all__ = ["Connection", "Database", "Row", "State", "accounts", "tokens"]
