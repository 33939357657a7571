"""The HTTP API under `/api/v1`: each module has the routes of one area, each route its roles and a command id."""
