"""Read, validate and edit the content folder. The only package that uses PyYAML and python-frontmatter.

It imports nothing, so that a cached report is shown before other modules are imported.
"""
