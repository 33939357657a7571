"""The books: journal, ledger, damage, kills, audits, backups, days; on SQLite and on PostgreSQL alike."""
