"""Applying a plan: each write is recorded, sent, verified and recorded with its result."""
