"""The server: who may do what, the stream, the API."""
