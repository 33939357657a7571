"""Audits of the books: every check in one function, and an auditor that shares no code with the ledger."""

from pitboss.books.audit.check import AuditReport, BookReport, Source, check_books, open_source, rebuild

__all__ = ["AuditReport", "BookReport", "Source", "check_books", "open_source", "rebuild"]
