"""Makes what a computer without a network installs: an archive with wheels, hashes, an SBOM and a signature."""
