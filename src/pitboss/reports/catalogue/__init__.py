"""The reports, one module a family."""
