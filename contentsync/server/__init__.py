"""The service seen from inside: an ASGI application on a database."""

from .app import create_app

__all__ = ["create_app"]
