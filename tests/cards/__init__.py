"""Tests of `pitboss.cards`."""
