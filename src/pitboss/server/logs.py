"""What a server writes to its log: text for people, or one JSON object a line, with a line for each request.

No line holds the path of a request, its content, or what somebody typed: routes, numbers of entries and kinds of
callers alone. So no name of a winner and no secret comes into the journal of the system.
"""

import datetime
import json
import logging
import sys
import traceback
from contextvars import ContextVar
from typing import Any, Literal, TypeAlias, get_args

LogFormat: TypeAlias = Literal["text", "json"]
LOG_FORMATS: tuple[LogFormat, ...] = get_args(LogFormat)
REQUEST_ID: ContextVar[str] = ContextVar("request-id", default="")
"""The id of the request in whose context something is done; empty outside of one."""
REQUESTS = logging.getLogger("pitboss.requests")


class JsonFormatter(logging.Formatter):
    """Writes a record as one line of JSON; of an exception its kind and where it was raised, not what it says."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := REQUEST_ID.get():
            line["request"] = request
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            line["error"] = kind.__name__
            line["raised"] = [f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(trace)]
        return json.dumps(line, ensure_ascii=True, default=str)


def log_as(form: LogFormat) -> None:
    """Write logs in a form to standard error, from where systemd brings them into its journal."""
    if form == "text":
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    REQUESTS.setLevel(logging.INFO)
