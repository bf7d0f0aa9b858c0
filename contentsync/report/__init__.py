"""Problems, plans and results as text, JSON, Markdown and SARIF; no decisions."""
