"""The worker processes beside the server, and the jobs they run."""
