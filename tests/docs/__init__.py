"""Documentation that runs: console blocks, doctests, recorded outputs, links."""
