"""The service seen from inside: an ASGI application on a database."""

from .app import check_public_url, create_app

__all__ = ["check_public_url", "create_app"]
