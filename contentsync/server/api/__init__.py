"""The HTTP API: paths, request bodies and responses (docs/contract.md 4)."""
