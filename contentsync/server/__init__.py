"""The service seen from inside: an ASGI application on a database.

Nothing of it is imported here, so that commands on the database need not wait for FastAPI.
"""

from ..extra import require_server

require_server()
