"""The journal: entries, their payloads, the state they fold to, and the one writer."""
