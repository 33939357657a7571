"""What watches a server from outside: alert rules for Prometheus and a dashboard for Grafana, as files."""

from importlib.resources import files

NAMES = ("alerts.yml", "dashboard.json")


def text(name: str) -> str:
    """Return one of the files."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
