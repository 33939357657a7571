"""Pages of the room, one module a page, named as its view and its template."""
