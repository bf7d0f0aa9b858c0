"""The service seen from inside: an ASGI application on a database.

Nothing is imported here, so that commands on the database need not wait for FastAPI.
"""
