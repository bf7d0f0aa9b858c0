"""The config, contentsync.toml: its tables, the layout of collections, and the keys that it names or ignores."""
