"""The layers of a server process around the service: connections, limits, logs, metrics, health.

The embedded target uses none of them. `process.make_application` stacks the layers, from the outside in:

    http_connection        sizes, times and numbers of HTTP connections
    ForwardedFor           the client's address behind a trusted proxy
    RequestId              an id for each request, in every log line and response
    AccessLog              one line per request, and the traceback of a failure
    Metrics                counts and durations, if enabled
    ResponseHeaders        headers of every response
    CORS                   Starlette's, if origins are set
    BodyDeadline           the time limit of a request's body
    the service            `api.auth` counts the rate limit there, because it knows token and directory
"""
