"""The migrations from the tables of an earlier release to those of `tables`. Only they use SQLAlchemy."""
