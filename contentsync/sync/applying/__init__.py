"""Carrying out a plan: each write noted, sent, settled and noted again."""
