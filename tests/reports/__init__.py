"""Tests of reports on the books."""
