"""Relatives of our games whose figures are published (ANCHORS.md section 2), written outside the product as games."""
