"""Problems, plans and results as people and programs read them. No decisions."""
