"""Fuzzing of the service by its OpenAPI document, with schemathesis (`make fuzz-api`)."""
