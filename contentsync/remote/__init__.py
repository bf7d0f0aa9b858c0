"""The service as a client sees it: the only package that uses HTTP."""
