"""File formats: front matter, YAML, TOML and tables, each with the location of every value."""
