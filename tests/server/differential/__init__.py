"""The same requests to SQLite and to PostgreSQL, and the same answers (DB-04)."""
