"""The service: an ASGI application on a database.

This package imports no module of its own here, so that commands on the database do not load Starlette.
"""

from ..extra import SERVER

SERVER.require()
