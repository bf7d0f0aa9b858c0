"""Generators: what each rule hides, by small folders and what the generator itself builds from them."""
