"""Undo a run: the effect that it had on each entry, and the plan that restores what was there before."""
