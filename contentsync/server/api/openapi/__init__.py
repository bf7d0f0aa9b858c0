"""The OpenAPI document: its operations, and how it is built, which only a request for it imports."""

from .operations import OPERATIONS, Operation

__all__ = ["OPERATIONS", "Operation"]
