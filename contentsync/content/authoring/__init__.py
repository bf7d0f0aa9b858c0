"""Writing into a content folder: what `init` and `new` make."""
