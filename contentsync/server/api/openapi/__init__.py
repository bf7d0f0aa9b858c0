"""The OpenAPI document: made of the models and of one table of operations, so that it says what the service does."""

from .document import document
from .operations import OPERATIONS, Operation
from .route import show_document

__all__ = ["OPERATIONS", "Operation", "document", "show_document"]
