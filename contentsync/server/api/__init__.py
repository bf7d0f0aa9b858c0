"""The service's HTTP words: paths, bodies, answers (docs/contract.md 4)."""
