"""Carry content to and from others: pull requests, an asset store, spreadsheets and the sources of listings."""
