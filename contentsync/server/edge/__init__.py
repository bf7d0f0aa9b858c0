"""What stands around the service when it is a server: connections, limits, logs, metrics, health.

The embedded target has none of it. The layers are put together in `application.py`, from the outside in:

    connection       HTTP itself: sizes, times and numbers that one client may take
    forwarded        whose request it is, where a trusted proxy passes it on
    request_id       a name for the request, in every log line and answer
    access_log       one line a request, and a traceback for what failed
    metrics          counts and times, when they are asked for
    headers          what every answer carries
    CORS             Starlette's, when origins are named
    deadline         a body that does not come to its end
    the service      where `auth` counts against the rate limit, once it knows token and directory
"""
