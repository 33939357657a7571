"""Access: people and roles in the journal, their secrets beside it, sign-in, sessions and tokens."""
