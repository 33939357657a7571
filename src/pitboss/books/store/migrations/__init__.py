"""Migrations of the store by Alembic; nothing that a server imports imports this."""
