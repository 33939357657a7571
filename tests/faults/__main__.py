"""Run seeds of the fault floor: `python -m tests.faults --seeds 200`; a seed that fails says how it is run again."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.faults.bugs import BUGS
from tests.faults.run import STEPS, run_seed


def main() -> int:
    """Run them, and return 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many seeds")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first of them")
    parser.add_argument("--steps", type=int, default=STEPS, help="moves of a seed")
    parser.add_argument("--crash-states", type=int, default=0, help="crash states in all, spread over the seeds")
    parser.add_argument("--bug", choices=sorted(BUGS), help="plant one of the known bugs")
    options = parser.parse_args()
    counts, entries, states, failed = Counter[str](), 0, 0, 0
    began = time.process_time()
    for number, seed in enumerate(range(options.first, options.first + options.seeds), start=1):
        share = options.crash_states * number // options.seeds - options.crash_states * (number - 1) // options.seeds
        plant = BUGS[options.bug] if options.bug else None
        verdict = run_seed(seed, steps=options.steps, crash_states=share, plant=plant)
        counts.update(verdict.counts)
        entries, states = entries + verdict.entries, states + verdict.crash_states
        if verdict.findings:
            failed += 1
            bug = f" --bug {options.bug}" if options.bug else ""
            again = (
                f"python -m tests.faults --seeds 1 --from {seed} --steps {options.steps} --crash-states {share}{bug}"
            )
            print(f"\nseed {seed}: {len(verdict.findings)} findings; again: {again}")
            for words in verdict.findings[:10]:
                print(f"  {words}")
        seconds = time.process_time() - began
        text = f"\r{number:,} of {options.seeds:,} seeds, {entries:,} entries, {states:,} crash states, {failed} failed"
        print(f"{text}, {seconds:.0f} s of CPU", end="", flush=True)
    print()
    for what, times in sorted(counts.items()):
        print(f"  {times:>9,} {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
