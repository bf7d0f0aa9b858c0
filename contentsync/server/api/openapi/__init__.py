"""The OpenAPI document."""

from .openapi_document import document, show_document
from .operations import OPERATIONS, Operation

__all__ = ["OPERATIONS", "Operation", "document", "show_document"]
