"""Files of the content folder: their names, stamps and bytes, and the caches beside them."""
