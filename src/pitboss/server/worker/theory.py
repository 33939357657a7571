"""What a room's hits and meters came to, beside what is exactly to be expected."""

from dataclasses import dataclass
from typing import Any

from pitboss.reports import make_report
from pitboss.reports.catalogue.hits import ExpectedHits
from pitboss.reports.catalogue.meters import Accrual
from pitboss.reports.render import report_json
from pitboss.server.worker.jobs import ReportJob, SlowJob


@dataclass(frozen=True, slots=True, kw_only=True)
class TheoryJob(SlowJob):
    """Hits and accrual of a period beside what is exactly to be expected: the reports of them, as JSON."""

    path: str
    first: str
    last: str
    at: int

    @property
    def needs_worker(self) -> bool:
        """Always true: it counts odds."""
        return True

    def run(self) -> dict[str, Any]:
        """Make the reports; accrual in sum by jackpot."""
        job = ReportJob(
            path=self.path, name=ExpectedHits.name, criteria={"first": self.first, "last": self.last}, at=self.at
        )
        with job.scope() as scope:
            hits = report_json(make_report(scope, ExpectedHits.name))["rows"]
            accrued: dict[str, dict[str, int]] = {}
            for row in report_json(make_report(scope, Accrual.name))["rows"]:
                sums = accrued.setdefault(row["jackpot"], {"wagers": 0, "units": 0})
                sums["wagers"] += row["wagers"] or 0
                sums["units"] += row["accrual_units"] or 0
        return {"first": self.first, "last": self.last, "hits": hits, "accrued": accrued}
