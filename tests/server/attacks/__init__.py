"""The worst that somebody in each position can do to a running server, tried (issue 18)."""
