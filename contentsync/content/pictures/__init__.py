"""Pictures as files of the content folder (docs/content.md 13)."""
