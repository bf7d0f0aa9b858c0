"""The generators that `adopt` knows: a module for each, with what shows it, what it reads, and what it hides."""
