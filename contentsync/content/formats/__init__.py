"""What files are written in: front matter, YAML, TOML and tables, each with the place of every value."""
