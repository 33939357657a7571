"""A room from files: what files want, what stands there, and the commands that lie between."""
