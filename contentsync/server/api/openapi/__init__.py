"""The OpenAPI document."""

from .openapi_document import build_document, show_document
from .operations import OPERATIONS, Operation

__all__ = ["OPERATIONS", "Operation", "build_document", "show_document"]
