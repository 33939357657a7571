"""A card room: people, approvals, configurations, displays, disputes and the registry of commands; no web."""
