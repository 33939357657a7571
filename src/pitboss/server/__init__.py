"""The card room in a browser: the HTTP API, roles and sign-in, the event stream, and the pages."""
