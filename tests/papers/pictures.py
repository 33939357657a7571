"""Pictures of papers for the documentation: `python -m tests.papers.pictures`."""

from __future__ import annotations

from pitboss.papers.catalogue import BY_NAME, make_pictures
from tests.pages.pictures import OUT
from tests.papers.test_papers import source_of

PAPERS = (("rack-card", "four-card-prime"), ("layout", "super-three-card"), ("procedure", "three-card-prime"))


def main() -> None:
    for name, game in PAPERS:
        (OUT / f"paper-{name}.png").write_bytes(make_pictures(BY_NAME[name], source_of(game), ppi=90)[0])


if __name__ == "__main__":
    main()
