"""The service's HTTP words: paths, bodies, answers (service-api.md 4)."""
