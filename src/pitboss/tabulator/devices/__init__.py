"""Devices at tables: protocol, client, outbox, simulator."""
