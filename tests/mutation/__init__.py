"""Mutation testing: small changes to the package that the tests should notice."""
