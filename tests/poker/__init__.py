"""Tests of `pitboss.poker`."""
