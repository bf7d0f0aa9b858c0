"""Read and validate the content folder; `authoring` writes its files.

It imports nothing, so that a cached report is shown before other modules are imported.
"""
